//! Text that a reader does not see. It is in invisible characters, links that hide their target, Markdown that its page
//! drops, and very long lines.

// Such text can carry instructions to an agent that reads the file. It is kept, and readers get a warning.

pub mod added;
mod characters;
mod links;
mod markdown;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::{characters::Hidden, markdown::Markup};
use super::{
    content::Content,
    passage::{Passage, Place},
};

/// The most warnings in one list.
const WARNINGS: usize = 100;

/// From this number of characters on, a line is very long.
const LONG_LINE: usize = 2_000;

/// Something that a reader should know before trusting the content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContentWarning {
    pub code: HiddenTextCode,
    /// The id of a part, a cell as `Sheet!B2`, or the name of a member.
    #[schema(example = "b_4")]
    pub block_id: String,
    /// How often it occurs.
    #[schema(minimum = 1)]
    pub count: usize,
}

shared_model::text_enum! {
    /// What the content hides. The most severe comes first: lists have no room for all.
    pub enum HiddenTextCode {
        /// Invisible copies of ASCII, a known way to hide instructions.
        TagCharacters = "tag_characters",
        /// Characters that change the direction of the text.
        BidiControl = "bidi_control",
        /// Characters of Markdown that the page of the file does not show: an unused definition, the title of a link.
        UnrenderedText = "unrendered_text",
        /// Links whose text is empty or names another site than their target.
        HiddenLinkText = "hidden_link_text",
        InvisibleCharacters = "invisible_characters",
        VeryLongLine = "very_long_line",
    }
}

/// The hundred most severe warnings, one for each code and place.
pub fn content_warnings(content: &impl Content) -> Vec<ContentWarning> {
    content_warnings_at(content, |_| true)
}

/// The same, of some places.
pub fn content_warnings_at(content: &impl Content, is_at: impl Fn(Place<'_>) -> bool) -> Vec<ContentWarning> {
    let mut counts = Counts::default();
    for passage in content.passages().chain(content.remarks()).filter(|passage| is_at(passage.place)) {
        counts.add_characters(&passage);
        counts.add(HiddenTextCode::VeryLongLine, passage.place, long_lines(passage.text));
    }
    if let Some(passage) = content.shown_as_markdown().filter(|passage| is_at(passage.place)) {
        counts.add_markdown(&passage);
    }
    for link in content.links().into_iter().filter(|link| is_at(link.place)) {
        counts.add(HiddenTextCode::HiddenLinkText, link.place, usize::from(links::hides_its_target(&link)));
    }
    counts.0.into_values().take(WARNINGS).collect()
}

/// The hosts of all links and mailboxes: lower case, in punycode.
pub fn link_domains(content: &impl Content) -> BTreeSet<String> {
    let all = content.links().into_iter().flat_map(|link| links::domains(&link.target));
    // What is not a host never becomes a known domain, so each plan that adds it has a warning of high severity.
    all.filter(|domain| links::is_host(domain)).collect()
}

/// Warnings in the order of code and place.
#[derive(Default)]
struct Counts(BTreeMap<(HiddenTextCode, String), ContentWarning>);

impl Counts {
    /// The hidden characters of all texts and link targets.
    fn of_characters(content: &impl Content) -> Self {
        let mut counts = Self::default();
        for passage in content.passages().chain(content.remarks()) {
            counts.add_characters(&passage);
        }
        if let Some(passage) = content.shown_as_markdown() {
            counts.add_markdown(&passage);
        }
        counts
    }

    fn add_characters(&mut self, Passage { place, text, link }: &Passage<'_>) {
        [Some(*text), *link].into_iter().flatten().for_each(|text| self.add_hidden(*place, text));
    }

    /// What is hidden in the Markdown beyond the characters of its text.
    fn add_markdown(&mut self, Passage { place, text, .. }: &Passage<'_>) {
        let Markup { decoded, unrendered } = Markup::of(text);
        self.add_hidden(*place, &decoded);
        self.add(HiddenTextCode::UnrenderedText, *place, unrendered);
    }

    fn add_hidden(&mut self, place: Place<'_>, text: &str) {
        let hidden = characters::hidden(text);
        // Nearly always: a large workbook has a hundred thousand texts.
        if hidden == Hidden::default() {
            return;
        }
        let Hidden { invisible, bidi, tags } = hidden;
        self.add(HiddenTextCode::InvisibleCharacters, place, invisible);
        self.add(HiddenTextCode::BidiControl, place, bidi);
        self.add(HiddenTextCode::TagCharacters, place, tags);
    }

    fn add(&mut self, code: HiddenTextCode, place: impl ToString, count: usize) {
        if count > 0 {
            let place = place.to_string();
            let warning = ContentWarning { code, block_id: place.clone(), count: 0 };
            self.0.entry((code, place)).or_insert(warning).count += count;
        }
    }
}

fn long_lines(text: &str) -> usize {
    // Most texts are short, and a text has at least as many bytes as characters.
    if text.len() < LONG_LINE {
        return 0;
    }
    text.lines().filter(|line| line.len() >= LONG_LINE && line.chars().nth(LONG_LINE - 1).is_some()).count()
}
