//! Makes segments of the text, styles and links of one block of Markdown.

use crate::documents::content::segment::{Link, Segment, TEXT_MAX};

/// The text of one block or cell that is being read.
#[derive(Default)]
pub struct InlineReader {
    segments: Vec<Segment>,
    open: Open,
}

/// Styles that begin and end within text.
#[derive(Clone, Copy, Debug)]
pub enum Emphasis {
    Bold,
    Italic,
    Underline,
}

/// The marks that are open.
#[derive(Default)]
struct Open {
    bold: usize,
    italic: usize,
    underline: usize,
    links: Vec<OpenLink>,
}

struct OpenLink {
    target: String,
    /// Whether a segment can lead there.
    is_allowed: bool,
    has_text: bool,
}

impl InlineReader {
    /// Adds text in the style that holds, in as many segments as its length needs.
    pub fn text(&mut self, mut text: &str) {
        if let Some(link) = self.open.links.last_mut() {
            link.has_text |= !text.is_empty();
        }
        while !text.is_empty() {
            let style = self.open.style();
            let last = self.segments.last().filter(|last| Style::of(last) == style);
            let room = last.map_or(0, |last| TEXT_MAX - last.text.len());
            let (now, later) = text.split_at(text.floor_char_boundary(room));
            match self.segments.last_mut() {
                Some(last) if !now.is_empty() => last.text.push_str(now),
                _ => {
                    let Style { bold, italic, underline, link } = style;
                    let link = link.map(str::to_owned);
                    self.segments.push(Segment { text: String::new(), bold, italic, underline, link });
                }
            }
            text = later;
        }
    }

    /// Text of a style begins.
    pub fn begin(&mut self, emphasis: Emphasis) {
        *self.open.count(emphasis) += 1;
    }

    /// Text of a style ends.
    pub fn end(&mut self, emphasis: Emphasis) {
        let count = self.open.count(emphasis);
        *count = count.saturating_sub(1);
    }

    /// Takes a tag as the style that it stands for, or else as text.
    pub fn html(&mut self, html: &str) {
        match html.to_ascii_lowercase().as_str() {
            "<u>" => self.begin(Emphasis::Underline),
            "</u>" => self.end(Emphasis::Underline),
            "<b>" | "<strong>" => self.begin(Emphasis::Bold),
            "</b>" | "</strong>" => self.end(Emphasis::Bold),
            "<i>" | "<em>" => self.begin(Emphasis::Italic),
            "</i>" | "</em>" => self.end(Emphasis::Italic),
            _ if is_break(html) => self.text("\n"),
            _ => self.text(html),
        }
    }

    /// What follows is the text of a link or the description of an image.
    pub fn begin_link(&mut self, target: &str) {
        let is_allowed = Link::check(target).is_ok();
        self.open.links.push(OpenLink { target: target.to_owned(), is_allowed, has_text: false });
    }

    /// A link or an image without text has its target as text. A target that a segment cannot have stands after the
    /// text.
    pub fn end_link(&mut self) {
        let Some(link) = self.open.links.last() else { return };
        if !link.has_text {
            self.text(&link.target.clone());
        } else if !link.is_allowed || self.open.links.len() > 1 {
            self.text(&format!(" ({})", link.target));
        }
        self.open.links.pop();
        if let Some(outer) = self.open.links.last_mut() {
            outer.has_text = true;
        }
    }

    /// Ends the text, and all styles with it.
    pub fn take(&mut self) -> Vec<Segment> {
        std::mem::take(self).segments
    }
}

impl Open {
    fn count(&mut self, emphasis: Emphasis) -> &mut usize {
        match emphasis {
            Emphasis::Bold => &mut self.bold,
            Emphasis::Italic => &mut self.italic,
            Emphasis::Underline => &mut self.underline,
        }
    }

    /// Of nested links the outermost is the one that is followed.
    fn style(&self) -> Style<'_> {
        let style = |count| (count > 0).then_some(true);
        let link = self.links.first().filter(|link| link.is_allowed).map(|link| link.target.as_str());
        Style { bold: style(self.bold), italic: style(self.italic), underline: style(self.underline), link }
    }
}

/// All of a segment but its text.
#[derive(PartialEq)]
struct Style<'a> {
    bold: Option<bool>,
    italic: Option<bool>,
    underline: Option<bool>,
    link: Option<&'a str>,
}

impl<'a> Style<'a> {
    fn of(segment: &'a Segment) -> Self {
        let Segment { text: _, bold, italic, underline, link } = segment;
        Self { bold: *bold, italic: *italic, underline: *underline, link: link.as_deref() }
    }
}

/// Whether this is the tag of a line break.
pub fn is_break(html: &str) -> bool {
    ["<br>", "<br/>", "<br />"].iter().any(|tag| html.trim().eq_ignore_ascii_case(tag))
}
