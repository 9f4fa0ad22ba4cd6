//! Notes: Markdown as HTML.

use std::collections::HashSet;

use ammonia::Builder;
use maud::{Markup, PreEscaped, Render as _, html};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Parser, Tag};

use super::{
    headings::{self, Heading},
    shown::Shown,
};
use crate::faces::pages::{
    paging::Cut,
    phrases::{led_to, name},
};
use cloud_content::notes::content::NoteContent;

// Markdown nests without a bound. Deeper elements are dropped, but their text stays.
const DEPTH: usize = 24;
// About the bytes of HTML around an event.
const AROUND_EVENT: usize = 12;
// No element that loads or runs something.
const TAGS: [&str; 16] =
    ["a", "bdi", "blockquote", "br", "code", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "strong"];
const HEADINGS: [&str; 4] = ["h3", "h4", "h5", "h6"];
// Each block may be in another script, so each gets a direction of its own.
const DIRECTED: [&str; 7] = ["h3", "h4", "h5", "h6", "li", "p", "pre"];

/// With one page of the text.
pub fn render(note: &NoteContent, shown: &Shown<'_>) -> Markup {
    let above = if note.title.is_empty() { 2 } else { 3 };
    let blocks = blocks(&note.content);
    let cut = Cut::of(blocks.iter().map(|block| block.iter().map(cost).sum()));
    let (range, part) = cut.asked(shown.page);
    let table = headings::table(&table_of_contents(&blocks, &cut), part.number, shown);
    let shown_blocks = blocks.into_iter().enumerate().skip(range.start).take(range.len());
    let html = to_html(shown_blocks, above);
    html! {
        (table)
        div.content {
            @if !note.title.is_empty() { h3 dir="auto" { (note.title) } }
            @if note.pinned == Some(true) { p.note { (text!("Pinned")) } }
            @if note.archived == Some(true) { p.note { (text!("Archived")) } }
            (PreEscaped(html))
            @if let Some(tags) = note.tags.as_ref().filter(|tags| !tags.is_empty()) {
                p.note {
                    (text!("Tags:")) " " @for (index, tag) in tags.iter().enumerate() {
                        @if index > 0 { ", " } (name(tag))
                    }
                }
            }
        }
        (shown.links(part))
    }
}

/// The events of each outermost block.
fn blocks(text: &str) -> Vec<Vec<Event<'_>>> {
    let mut blocks = Vec::new();
    let mut block = Vec::new();
    let mut depth = 0_usize;
    for event in Parser::new(text) {
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        block.push(event);
        if depth == 0 {
            blocks.push(std::mem::take(&mut block));
        }
    }
    blocks
}

fn cost(event: &Event<'_>) -> usize {
    AROUND_EVENT
        + match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => text.len(),
            Event::Start(Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. }) => {
                dest_url.len() + title.len()
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => info.len(),
            _ => 0,
        }
}

fn table_of_contents(blocks: &[Vec<Event<'_>>], cut: &Cut) -> Vec<Heading> {
    let heading = |(index, block): (usize, &Vec<Event<'_>>)| {
        let Some(Event::Start(Tag::Heading { level, .. })) = block.first() else { return None };
        let text = block.iter().map(|event| match event {
            Event::Text(text) | Event::Code(text) => text,
            _ => " ",
        });
        let text = text.collect::<String>().trim().to_owned();
        Some(Heading { text, anchor: anchor(index), is_below: *level > HeadingLevel::H1, page: cut.page_of(index) })
    };
    blocks.iter().enumerate().filter_map(heading).collect()
}

/// The id of the heading that is this outermost block.
fn anchor(index: usize) -> String {
    format!("h-{index}")
}

/// Of blocks with their indices.
fn to_html<'a>(blocks: impl Iterator<Item = (usize, Vec<Event<'a>>)>, above: usize) -> String {
    let mut writer = Writer { above, last: above, place: 0, open: Vec::new(), out: String::new() };
    for (index, block) in blocks {
        writer.place = index;
        block.into_iter().for_each(|event| writer.take(event));
    }
    clean(&writer.out)
}

// The second defence: a mistake in `Writer` must not let a script onto the page.
fn clean(html: &str) -> String {
    let mut builder = Builder::empty();
    builder
        .tags(TAGS.into_iter().chain(["ul"]).collect())
        .tag_attributes(
            // Ids only of headings: those are ours.
            HEADINGS
                .map(|tag| (tag, HashSet::from(["id"])))
                .into_iter()
                .chain([("a", HashSet::from(["href"])), ("ol", HashSet::from(["start"]))])
                .collect(),
        )
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow ugc"));
    for tag in DIRECTED {
        builder.set_tag_attribute_value(tag, "dir", "auto");
    }
    builder.clean(html).to_string()
}

struct Writer {
    above: usize,
    // Screen readers navigate by levels, so none is skipped.
    last: usize,
    /// The index of the outermost block.
    place: usize,
    /// The closing tags of the open elements.
    open: Vec<String>,
    out: String,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.begin(tag),
            Event::End(_) => {
                let end = self.open.pop().unwrap_or_default();
                self.out.push_str(&end);
            }
            // Raw HTML of the author is shown as text.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) | Event::FootnoteReference(text) => {
                self.text(&text)
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::Code(text) => self.out.push_str(&html! { code { (&*text) } }.0),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        text.render_to(&mut self.out);
    }

    fn begin(&mut self, tag: Tag<'_>) {
        let is_too_deep = self.open.len() >= DEPTH;
        let end = match tag {
            Tag::Image { dest_url, title, .. } => {
                // An image would be loaded from an address that the author chose, and would tell it who reads.
                let what = match led_to(&dest_url) {
                    Some(place) => text!("picture at {place}, not shown:", place = html! { bdi { (place) } }),
                    None => text!("picture, not shown:").render(),
                };
                self.out.push_str(&html! { "[" (what) " " }.0);
                self.out.push_str("<bdi>");
                let path = if led_to(&dest_url).is_none() { &*dest_url } else { "" };
                format!("</bdi>{}]", beside(path, &title))
            }
            _ if is_too_deep => String::new(),
            Tag::Link { link_type, dest_url, title, .. } => {
                let is_address = matches!(link_type, LinkType::Email);
                let target = if is_address { format!("mailto:{dest_url}") } else { dest_url.into_string() };
                match led_to(&target) {
                    Some(place) => {
                        self.out.push_str("<a href=\"");
                        self.text(&target);
                        // Isolated, both: a direction override in the text would turn the host round.
                        self.out.push_str("\"><bdi>");
                        format!("</bdi></a>{}", beside(&place, &title))
                    }
                    None => beside(&target, &title),
                }
            }
            Tag::Heading { level, .. } => {
                self.last = (self.above + level as usize).min(self.last + 1).min(6);
                let last = self.last;
                // Those within quotations and lists are not in the table of contents.
                if self.open.is_empty() {
                    self.out.push_str(&format!("<h{last} id=\"{}\">", anchor(self.place)));
                    format!("</h{last}>")
                } else {
                    self.element(&format!("h{last}"))
                }
            }
            Tag::Paragraph | Tag::HtmlBlock => self.element("p"),
            Tag::BlockQuote(_) => self.element("blockquote"),
            Tag::CodeBlock(kind) => {
                // Usually a language. Whatever it says, a reader sees it.
                if let CodeBlockKind::Fenced(info) = kind
                    && !info.trim().is_empty()
                {
                    self.out.push_str(&html! { p { code { (info.trim()) } } }.0);
                }
                self.element("pre")
            }
            Tag::List(Some(start)) => {
                self.out.push_str(&format!("<ol start=\"{start}\">"));
                "</ol>".to_owned()
            }
            Tag::List(None) => self.element("ul"),
            Tag::Item => self.element("li"),
            Tag::Emphasis => self.element("em"),
            Tag::Strong => self.element("strong"),
            _ => String::new(),
        };
        self.open.push(end);
    }

    fn element(&mut self, name: &str) -> String {
        self.out.push_str(&format!("<{name}>"));
        format!("</{name}>")
    }
}

/// What a link or a picture has beside its text: where it leads, and its title. Nothing of a note is hidden.
fn beside(place: &str, title: &str) -> String {
    let markup = html! {
        @if !place.is_empty() { " (" bdi { (place) } ")" }
        @if !title.is_empty() { " “" bdi { (title) } "”" }
    };
    markup.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shared_testing::html::assert_harmless;

    use super::*;

    fn html(text: &str) -> String {
        to_html(blocks(text).into_iter().enumerate(), 2)
    }

    #[test]
    fn raw_html_is_text() {
        let html = html("<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b\n\n<svg onload=x>");
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<svg"), "{html}");
        assert!(html.contains("&lt;script&gt;"), "{html}");
    }

    #[test]
    fn only_what_can_be_followed_is_a_link_and_its_host_is_said() {
        let html = html(
            "[a](javascript:alert(1)) [b](https://x.example/y) <c@d.example> [e](/f/file_1) ![f](https://g.example/h)",
        );
        assert!(!html.contains("href=\"javascript") && !html.contains("<img") && !html.contains("href=\"/f"), "{html}");
        assert!(html.contains("e (<bdi>/f/file_1</bdi>)"), "where it leads is said: {html}");
        assert!(
            html.contains("href=\"https://x.example/y\"") && html.contains("</a> (<bdi>x.example</bdi>)"),
            "{html}"
        );
        assert!(
            html.contains("href=\"mailto:c@d.example\"")
                && html.contains("[picture at <bdi>g.example</bdi>, not shown: <bdi>f</bdi>]"),
            "{html}"
        );
        assert_eq!(html.matches("rel=\"noopener noreferrer nofollow ugc\"").count(), 2, "{html}");
    }

    #[test]
    fn a_direction_override_ends_with_its_link() {
        let html = html("[our bank\u{202e}](https://moc.knab-ruo.x.example/)");
        let link = "<bdi>our bank\u{202e}</bdi></a> (<bdi>moc.knab-ruo.x.example</bdi>)";
        assert!(html.contains(link), "{html}");
    }

    #[test]
    fn headings_leave_no_level_out() {
        let html = html("### a\n\n# b\n\n###### c");
        let levels: Vec<_> = html.match_indices("<h").map(|(at, _)| &html[at + 2..at + 3]).collect();
        assert_eq!(levels, ["3", "3", "4"], "{html}");
    }

    #[test]
    fn what_is_nested_without_end_is_shown_flat() {
        let deep = format!("{} x", ">".repeat(50_000));
        let html = html(&deep);
        assert!(html.matches("<blockquote").count() <= DEPTH && html.contains('x'), "{}", html.len());
    }

    /// With which a text could try to be more than text.
    const PIECES: &str = "<script>alert(1)</script> <script <img/src=x/onerror=alert(1)> <svg/onload=x> <style> \
                          </main> <base/href=//x> <!-- --> <![CDATA[ <a/href='javascript:x'> &lt;script&gt; &#60;b> \
                          [a](javascript:alert(1)) [b](https://x.example/\"onclick=\"y) [c](//e.example) \
                          ![d](https://g.example/\"t) <https://x.example/'y> <c@d.example> [ ]( ) ![ [r]: \
                          javascript: data:text/html, &quot; ` ``` ~~~ # > - 1. * _ \\ \" ' é \u{202e}";

    proptest! {
        #[test]
        fn no_text_becomes_more_than_text(
            pieces in prop::collection::vec(
                (prop::sample::select(PIECES.split(' ').collect::<Vec<_>>()), "[ \t\n>#*-]{0,3}", "\\PC{0,3}"),
                0..16,
            ),
        ) {
            let text: String =
                pieces.iter().map(|(piece, between, more)| format!("{piece}{between}{more}")).collect();
            assert_harmless(&format!("<main>{}</main>", html(&text)));
        }
    }
}
