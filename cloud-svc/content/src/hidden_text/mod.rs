//! What a reader of content is not shown, or is shown as something else: characters without a shape, links that hide
//! where they lead, and lines that run out of sight.

pub mod added;
mod characters;
mod links;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use self::characters::Hidden;
use super::{content::Content, passage::Passage};

/// Entries of one list of warnings at most.
const WARNINGS: usize = 100;

/// Characters without a line break that are a very long line.
const LONG_LINE: usize = 2_000;

/// Something in content that its reader should know of before believing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ContentWarning {
    /// What it is.
    pub code: HiddenTextCode,
    /// Where: the id of a block, an element or another part, a cell as `Sheet!B2`, or the name of a member.
    #[schema(example = "b_4")]
    pub block_id: String,
    /// How often it is there.
    #[schema(minimum = 1)]
    pub count: usize,
}

shared_model::text_enum! {
    /// What content hides.
    pub enum HiddenTextCode {
        /// Characters that are read in another direction than they are written in.
        BidiControl = "bidi_control",
        /// Links whose text is empty, or names another site than the one to which they lead.
        HiddenLinkText = "hidden_link_text",
        /// Characters that cannot be seen.
        InvisibleCharacters = "invisible_characters",
        /// Characters that cannot be seen and repeat ASCII: a known way to hide instructions.
        TagCharacters = "tag_characters",
        /// Lines of 2000 characters or more.
        VeryLongLine = "very_long_line",
    }
}

/// What there is, by code and place, each once; the first hundred.
pub fn content_warnings(content: &impl Content) -> Vec<ContentWarning> {
    let mut counts = Counts::of_characters(content);
    for passage in content.passages() {
        counts.add(HiddenTextCode::VeryLongLine, passage.place, long_lines(passage.text));
    }
    for link in content.links() {
        counts.add(HiddenTextCode::HiddenLinkText, link.place, usize::from(links::hides_its_target(&link)));
    }
    counts.0.into_values().take(WARNINGS).collect()
}

/// The hosts to which the content leads, and those of the mailboxes in it: lower case, in punycode.
pub fn link_domains(content: &impl Content) -> BTreeSet<String> {
    content.links().iter().flat_map(|link| links::domains(&link.target)).collect()
}

/// Warnings in their order: by the word of the code, then by place.
#[derive(Default)]
struct Counts(BTreeMap<(&'static str, String), ContentWarning>);

impl Counts {
    /// The hidden characters of all text and of all that it leads to.
    fn of_characters(content: &impl Content) -> Self {
        let mut counts = Self::default();
        for Passage { place, text, link } in content.passages() {
            for text in [Some(text), link].into_iter().flatten() {
                let Hidden { invisible, bidi, tags } = characters::hidden(text);
                counts.add(HiddenTextCode::InvisibleCharacters, place, invisible);
                counts.add(HiddenTextCode::BidiControl, place, bidi);
                counts.add(HiddenTextCode::TagCharacters, place, tags);
            }
        }
        counts
    }

    fn add(&mut self, code: HiddenTextCode, place: impl ToString, count: usize) {
        if count > 0 {
            let place = place.to_string();
            let warning = ContentWarning { code, block_id: place.clone(), count: 0 };
            self.0.entry((code.as_str(), place)).or_insert(warning).count += count;
        }
    }
}

fn long_lines(text: &str) -> usize {
    // A text has at least as many bytes as characters.
    if text.len() < LONG_LINE {
        return 0;
    }
    text.lines().filter(|line| line.len() >= LONG_LINE && line.chars().nth(LONG_LINE - 1).is_some()).count()
}
