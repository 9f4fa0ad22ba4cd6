//! What becomes plainer when Markdown becomes a document.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::inline;
use crate::documents::content::segment::Link;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plainer {
    /// Headings below the second level.
    Headings,
    /// Lists and quotations within others.
    Nesting,
    Code,
    Images,
    /// HTML other than styles and breaks.
    Html,
    /// Targets that a segment cannot have.
    Targets,
}

#[derive(Default)]
pub struct Watch {
    depth: usize,
    pub found: BTreeSet<Plainer>,
}

impl Watch {
    pub fn see(&mut self, event: &Event<'_>) {
        let found = match event {
            Event::Start(Tag::Heading { level, .. }) if *level > HeadingLevel::H2 => Plainer::Headings,
            Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => {
                self.depth += 1;
                if self.depth == 1 {
                    return;
                }
                Plainer::Nesting
            }
            Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => {
                self.depth = self.depth.saturating_sub(1);
                return;
            }
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => Plainer::Code,
            Event::Start(Tag::Image { .. }) => Plainer::Images,
            Event::Html(html) | Event::InlineHtml(html) if !inline::is_style(html) => Plainer::Html,
            Event::Start(Tag::Link { link_type, dest_url, .. })
                if *link_type != LinkType::Email && Link::check(dest_url).is_err() =>
            {
                Plainer::Targets
            }
            _ => return,
        };
        self.found.insert(found);
    }
}
