//! Markdown of guides as HTML. Links work below `/docs` as they do in the repository.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

use super::places::{DOCS_PATH, href};
use crate::pages::documents::{Document, Documents};

/// The page without its first heading. HTML in the text stays text.
pub fn render(document: &Document, documents: &Documents) -> String {
    let mut writer = Writer { document, documents, links: Vec::new(), tables: 0, out: Vec::new() };
    let events: Vec<Event<'static>> =
        Parser::new_ext(document.text, Options::ENABLE_TABLES).map(Event::into_static).collect();
    let title = events.iter().position(|event| matches!(event, Event::End(TagEnd::Heading(_))));
    let mut rest = events.into_iter().skip(title.map_or(0, |at| at + 1)).peekable();
    while let Some(event) = rest.next() {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let inside: Vec<_> = std::iter::from_fn(|| rest.next_if(|event| !is_end_of_heading(event))).collect();
                let id = Some(anchor(&text(&inside)).into());
                writer.out.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
                inside.into_iter().for_each(|event| writer.take(event));
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                // The picture names itself.
                rest.by_ref().find(|event| matches!(event, Event::End(TagEnd::Image)));
                writer.picture(&dest_url);
            }
            event => writer.take(event),
        }
    }
    let mut html = String::new();
    push_html(&mut html, writer.out.into_iter());
    html
}

fn is_end_of_heading(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn text(events: &[Event<'_>]) -> String {
    let text = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    text.collect()
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-")
}

struct Writer<'d> {
    document: &'d Document,
    documents: &'d Documents,
    /// For each open link, whether it leads somewhere.
    links: Vec<bool>,
    tables: usize,
    out: Vec<Event<'static>>,
}

impl Writer<'_> {
    fn take(&mut self, event: Event<'static>) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(self.document.path, &dest_url, self.documents);
                self.links.push(target.is_some());
                if let Some(target) = target {
                    self.out.push(Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.out.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Table(alignments)) => {
                self.tables += 1;
                self.html(format!(
                    "<div class=\"scrollable prose\" role=\"region\" aria-label=\"Table {}\" tabindex=\"0\">",
                    self.tables
                ));
                self.out.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                self.out.push(Event::End(TagEnd::Table));
                self.html("</div>".to_owned());
            }
            Event::Html(text) | Event::InlineHtml(text) => self.out.push(Event::Text(text)),
            event => self.out.push(event),
        }
    }

    fn picture(&mut self, link: &str) {
        let picture = self.documents.picture(&joined(self.document.path, link));
        if let Some(svg) = picture {
            // It scrolls on narrow screens: the keyboard must reach it.
            let region = "<span class=\"picture\" role=\"region\" aria-label=\"Picture\" tabindex=\"0\">";
            self.html(format!("{region}{svg}</span>"));
        }
    }

    fn html(&mut self, text: String) {
        self.out.push(Event::Html(CowStr::from(text)));
    }
}

/// Where a link leads below `/docs`; `None` for files that the service does not show.
fn target(from: &str, link: &str, documents: &Documents) -> Option<String> {
    if link.contains("://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let path = joined(from, file);
    let path = path.strip_suffix(".md")?;
    // The navigation has what the lists of a folder have.
    let place = match path.strip_suffix("README") {
        Some(_) => DOCS_PATH.to_owned(),
        None => href(documents.find(path)?.path),
    };
    Some(anchor.map_or_else(|| place.clone(), |anchor| format!("{place}#{anchor}")))
}

/// A relative link of a document as a path below `docs`.
fn joined(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::documents::Section;

    const DOCUMENTS: Documents = Documents {
        sections: &[Section {
            title: "Guides",
            documents: &[
                Document { path: "guides/one", text: "# One\n" },
                Document { path: "reference/errors", text: "# Errors\n" },
            ],
        }],
        pictures: &[Document { path: "guides/plan.svg", text: "<svg></svg>" }],
    };

    fn html(text: &'static str) -> String {
        render(&Document { path: "guides/two", text }, &DOCUMENTS)
    }

    #[test]
    fn links_lead_to_pages_that_are_shown_and_all_others_are_text() {
        let text = "# Two\n\n[1](one.md) [2](../reference/errors.md#a-b) [3](../../openapi) [4](README.md) \
                    [5](https://a.example/) [6](../operate/secrets.md)";
        let expected = "<p><a href=\"/docs/guides/one\">1</a> <a href=\"/docs/reference/errors#a-b\">2</a> 3 \
                        <a href=\"/docs\">4</a> <a href=\"https://a.example/\">5</a> 6</p>\n";
        assert_eq!(html(text), expected);
    }

    #[test]
    fn the_title_is_left_out_and_headings_have_the_anchors_of_github() {
        let text = "# Two `words`\n\n## What's *new*: `a_b`\n\nText.";
        assert_eq!(html(text), "<h2 id=\"whats-new-a_b\">What's <em>new</em>: <code>a_b</code></h2>\n<p>Text.</p>\n");
    }

    #[test]
    fn html_is_text_and_pictures_are_shown() {
        let text = "# Two\n\n<script>1</script> <b>\n\n![A plan](plan.svg) ![no](other.svg)";
        let shown = html(text);
        assert!(!shown.contains("<script") && !shown.contains("<b>") && !shown.contains("A plan"), "{shown}");
        assert!(shown.contains("<span class=\"picture\"") && shown.contains("<svg></svg></span>"), "{shown}");
    }

    #[test]
    fn tables_scroll_and_are_named() {
        let shown = html("# Two\n\n| a |\n|---|\n| b |\n");
        let start = "<div class=\"scrollable prose\" role=\"region\" aria-label=\"Table 1\" tabindex=\"0\"><table>";
        assert!(shown.starts_with(start) && shown.ends_with("</table>\n</div>"), "{shown}");
    }
}
