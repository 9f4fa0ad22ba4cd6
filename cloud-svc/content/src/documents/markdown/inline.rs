//! Turns the text, styles and links of one block of Markdown into segments.

use crate::documents::content::segment::{Link, Segment, TEXT_MAX};

/// The shortest JSON of a segment, before its text and its link are added.
const EMPTY_SEGMENT: &str = r#"{"text":""}"#;

/// The text of the block or cell that is being read.
#[derive(Default)]
pub struct InlineReader {
    segments: Vec<Segment>,
    open: Open,
    /// A lower bound of the bytes of all text so far as JSON, with that of earlier blocks.
    pub json_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
pub enum Emphasis {
    Bold,
    Italic,
    Underline,
}

// Counts and no flags: HTML tags and asterisks of one style may nest.
#[derive(Default)]
struct Open {
    bold: usize,
    italic: usize,
    underline: usize,
    links: Vec<OpenLink>,
}

struct OpenLink {
    target: String,
    /// Whether a segment may have this target.
    is_allowed: bool,
    has_text: bool,
}

impl InlineReader {
    /// Adds text in the current style.
    pub fn text(&mut self, mut text: &str) {
        if let Some(link) = self.open.links.last_mut() {
            link.has_text |= !text.is_empty();
        }
        while !text.is_empty() {
            let style = self.open.style();
            // Joins the last segment of the same style. A segment has a bounded length, so long text takes several.
            let last = self.segments.last().filter(|last| Style::of(last) == style);
            let room = last.map_or(0, |last| TEXT_MAX - last.text.len());
            let (now, later) = text.split_at(text.floor_char_boundary(room));
            self.json_bytes += now.len();
            match self.segments.last_mut() {
                Some(last) if !now.is_empty() => last.text.push_str(now),
                _ => {
                    let Style { bold, italic, underline, link } = style;
                    let link = link.map(str::to_owned);
                    self.json_bytes += EMPTY_SEGMENT.len() + link.as_ref().map_or(0, String::len);
                    self.segments.push(Segment { text: String::new(), bold, italic, underline, link });
                }
            }
            text = later;
        }
    }

    pub fn begin(&mut self, emphasis: Emphasis) {
        *self.open.count(emphasis) += 1;
    }

    pub fn end(&mut self, emphasis: Emphasis) {
        let count = self.open.count(emphasis);
        // HTML may close a tag that was never opened.
        *count = count.saturating_sub(1);
    }

    /// Reads a tag as its style, or else as text.
    pub fn html(&mut self, html: &str) {
        match emphasis(html) {
            Some((emphasis, true)) => self.begin(emphasis),
            Some((emphasis, false)) => self.end(emphasis),
            None if is_break(html) => self.text("\n"),
            None => self.text(html),
        }
    }

    /// The text of a link or the description of an image follows.
    pub fn begin_link(&mut self, target: &str) {
        let is_allowed = Link::check(target).is_ok();
        self.open.links.push(OpenLink { target: target.to_owned(), is_allowed, has_text: false });
    }

    /// A link or an image without text gets its target as text.
    pub fn end_link(&mut self) {
        let Some(link) = self.open.links.last() else { return };
        if !link.has_text {
            self.text(&link.target.clone());
        } else if !link.is_allowed || self.open.links.len() > 1 {
            // The segment has no target or that of the outer link, so the target is kept as text.
            self.text(&format!(" ({})", link.target));
        }
        self.open.links.pop();
        if let Some(outer) = self.open.links.last_mut() {
            outer.has_text = true;
        }
    }

    /// Takes the segments, and ends all styles.
    pub fn take(&mut self) -> Vec<Segment> {
        self.open = Open::default();
        std::mem::take(&mut self.segments)
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

    // An image within a link leads where the link leads, as in a browser.
    fn style(&self) -> Style<'_> {
        let style = |count| (count > 0).then_some(true);
        let link = self.links.first().filter(|link| link.is_allowed).map(|link| link.target.as_str());
        Style { bold: style(self.bold), italic: style(self.italic), underline: style(self.underline), link }
    }
}

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

/// Whether this tag becomes a style or a break.
pub fn is_style(html: &str) -> bool {
    is_break(html) || emphasis(html).is_some()
}

/// The style that a tag begins (`true`) or ends.
fn emphasis(html: &str) -> Option<(Emphasis, bool)> {
    Some(match html.to_ascii_lowercase().as_str() {
        "<u>" => (Emphasis::Underline, true),
        "</u>" => (Emphasis::Underline, false),
        "<b>" | "<strong>" => (Emphasis::Bold, true),
        "</b>" | "</strong>" => (Emphasis::Bold, false),
        "<i>" | "<em>" => (Emphasis::Italic, true),
        "</i>" | "</em>" => (Emphasis::Italic, false),
        _ => return None,
    })
}

/// Whether this is a `<br>`.
pub fn is_break(html: &str) -> bool {
    ["<br>", "<br/>", "<br />"].iter().any(|tag| html.trim().eq_ignore_ascii_case(tag))
}
