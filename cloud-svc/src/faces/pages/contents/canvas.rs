//! Publications and presentations: each page or slide as a picture, with its text below.

use maud::{Markup, html};

use shared_runtime::pages::Text;

use super::{
    drawing::{self, Size},
    shown::Shown,
};
use crate::faces::pages::{paging, phrases::name};
use cloud_content::{
    canvas::{Canvas, element::Element},
    presentations::content::{Aspect, PresentationContent},
    publications::content::{Orientation, Page, PageFormat, PublicationContent},
};

// About the bytes of SVG around an element.
const AROUND_ELEMENT: usize = 400;

pub fn publication(content: &PublicationContent, shown: &Shown<'_>) -> Markup {
    canvases(
        &content.pages,
        [text!("Page {n}"), text!("Text of page {n}")],
        |page| (size(page), &page.background),
        shown,
    )
}

pub fn presentation(content: &PresentationContent, shown: &Shown<'_>) -> Markup {
    let size = match content.aspect {
        Aspect::Wide => Size { width: 960.0, height: 540.0 },
        Aspect::Standard => Size { width: 720.0, height: 540.0 },
    };
    canvases(
        &content.slides,
        [text!("Slide {n}"), text!("Text of slide {n}")],
        |slide| (size, &slide.background),
        shown,
    )
}

// In points, as printed, because font sizes are in points.
fn size(page: &Page) -> Size {
    let (width, height) = match page.size {
        PageFormat::A4 => (595.0, 842.0),
        PageFormat::Letter => (612.0, 792.0),
        PageFormat::Square => (600.0, 600.0),
        PageFormat::BusinessCard => (144.0, 252.0),
    };
    match page.orientation {
        Orientation::Portrait => Size { width, height },
        Orientation::Landscape => Size { width: height, height: width },
    }
}

fn canvases<'a, C: Canvas>(
    all: &'a [C],
    [title_of, text_of]: [Text; 2],
    ground: impl Fn(&'a C) -> (Size, &'a String),
    shown: &Shown<'_>,
) -> Markup {
    let cost = |canvas: &C| {
        let texts = canvas.elements().iter().map(|element| element.text.len() * 2 + AROUND_ELEMENT);
        canvas.notes().len() + texts.sum::<usize>()
    };
    let (range, part) = paging::cut(all.iter().map(cost), shown.page);
    let first = range.start;
    html! {
        div.content {
            @for (index, canvas) in all[range].iter().enumerate() {
                @let (size, background) = ground(canvas);
                @let number = first + index + 1;
                @let title = title_of.filled(&[("n", &number)]);
                section.canvas id=[canvas.id().map(|id| format!("b-{}", id.as_str()))] aria-label=(title) {
                    h3 { (title) @if !canvas.name().is_empty() { ": " (name(canvas.name())) } }
                    (drawing::draw(&title, size, background, canvas.elements()))
                    (texts(canvas, &text_of.filled(&[("n", &number)])))
                    @if let Some(id) = canvas.id() { (shown.discussion.beside(id.as_str())) }
                    // Elements are inside the picture, so comments on them stand below it.
                    @for id in canvas.elements().iter().filter_map(|element| element.id.as_ref()) {
                        (shown.discussion.beside(id.as_str()))
                    }
                }
            }
        }
        (shown.links(part))
    }
}

// Again as text: screen readers and copying need it, and the picture cuts it off at the edge of its element.
fn texts<C: Canvas>(canvas: &C, title: &str) -> Markup {
    let texts: Vec<&Element> = canvas.elements().iter().filter(|element| !element.text.is_empty()).collect();
    html! {
        @if !texts.is_empty() {
            details {
                summary { (title) }
                @for element in texts { p.as-written dir="auto" { (element.text) } }
            }
        }
        @if !canvas.notes().is_empty() {
            div.remarks role="group" aria-label=(text!("Speaker notes")) {
                p.as-written dir="auto" { span.label { (text!("Notes:")) " " } (canvas.notes()) }
            }
        }
    }
}
