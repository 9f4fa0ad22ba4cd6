//! The outline of a note: `view=outline`.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde::Serialize;
use utoipa::ToSchema;

use super::content::NoteContent;
use crate::excerpt::excerpt;

/// The most headings of an outline.
const HEADINGS: usize = 1_000;

/// A heading in the text of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"text": "Shopping", "level": 1, "offset": 0}))]
pub struct NoteHeading {
    /// The first 120 characters: untrusted.
    #[schema(max_length = 480)]
    pub text: String,
    #[schema(minimum = 1, maximum = 6)]
    pub level: u8,
    /// The number of characters before it in the text.
    pub offset: usize,
}

// A note of 500000 characters may have hundreds of thousands of headings.
pub fn outline(note: &NoteContent) -> Vec<NoteHeading> {
    let text = note.content.as_str();
    let mut headings = Vec::new();
    let (mut counted, mut characters) = (0, 0);
    let mut open: Option<(NoteHeading, Vec<_>)> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                if headings.len() == HEADINGS {
                    break;
                }
                // Counts on from the last heading: counting each from the beginning would take quadratic time.
                characters += text[counted..range.start].chars().count();
                counted = range.start;
                let heading = NoteHeading { text: String::new(), level: level as u8, offset: characters };
                open = Some((heading, Vec::new()));
            }
            Event::End(TagEnd::Heading(_)) => {
                headings.extend(open.take().map(|(heading, texts)| {
                    let text = excerpt(texts.iter().map(|text: &pulldown_cmark::CowStr<'_>| text.as_ref()));
                    NoteHeading { text, ..heading }
                }));
            }
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => {
                open.iter_mut().for_each(|(_, texts)| texts.push(text.clone()));
            }
            _ => {}
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(content: &str) -> Vec<NoteHeading> {
        let (title, content) = (String::new(), content.to_owned());
        outline(&NoteContent { title, content, tags: None, pinned: None, archived: None })
    }

    #[test]
    fn headings_have_the_offsets_of_their_characters() {
        let content = "é\n\n# One *and* `two`\n\n```\n# code\n```\n\nThree\n-----\n";
        let headings = headings(content);
        let found: Vec<_> =
            headings.iter().map(|heading| (heading.text.as_str(), heading.level, heading.offset)).collect();
        assert_eq!(found, [("One and two", 1, 3), ("Three", 2, 38)]);
        assert!(content.chars().skip(38).collect::<String>().starts_with("Three"));
    }

    #[test]
    fn there_are_a_thousand_at_most() {
        assert_eq!(headings(&"# a\n".repeat(1_001)).len(), 1_000);
    }
}
