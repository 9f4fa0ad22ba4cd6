//! Excerpts of what a search found, with the places of the found words.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{found::Folded, query::SearchQuery};
use crate::written::{Spot, Where, Written};

/// The most matches that a file shows.
pub const MATCHES: usize = 3;
/// The most characters of an excerpt.
pub const CHARACTERS: usize = 200;
// What is shown before the first found word.
const BEFORE: usize = 60;
// Places of one term that are looked at.
const PLACES: usize = 50;

/// A place where a search found something. Its texts are untrusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Match {
    #[serde(rename = "where")]
    pub at: Where,
    /// The text around it, in one line.
    #[schema(max_length = 200, example = "The budget of May")]
    pub excerpt: String,
    /// What was found in the excerpt. Pairs of the first character and the one after the last, counted from 0 in
    /// Unicode characters.
    #[schema(example = json!([[4, 10]]))]
    pub marks: Vec<[usize; 2]>,
}

/// A part of a text that becomes an excerpt.
struct Window {
    text: usize,
    bytes: Range<usize>,
    marks: Vec<Range<usize>>,
    /// The found terms, one bit each.
    terms: u32,
}

impl SearchQuery {
    /// What a found file shows: its tag, and excerpts.
    pub fn matches(&self, texts: &[Written<'_>], folded: &Folded) -> Vec<Match> {
        let mut matches = Vec::new();
        if let Some(tag) = &self.tag {
            let marks = vec![[0, tag.chars().count()]];
            matches.push(Match { at: Spot::Member("tags").into(), excerpt: tag.clone(), marks });
        }
        add(&mut matches, self, (texts, folded));
        matches
    }
}

/// Adds excerpts until there are [`MATCHES`]: first those that show terms that no other shows.
fn add(matches: &mut Vec<Match>, query: &SearchQuery, (texts, folded): (&[Written<'_>], &Folded)) {
    let mut windows = windows(query, (texts, folded));
    let (mut shown, mut chosen) = (0_u32, Vec::new());
    while matches.len() + chosen.len() < MATCHES
        && let Some((best, _)) = windows
            .iter()
            .enumerate()
            .max_by_key(|(at, window)| ((window.terms & !shown).count_ones(), usize::MAX - at))
    {
        let window = windows.remove(best);
        shown |= window.terms;
        chosen.push(window);
    }
    chosen.sort_by_key(|window| (window.text, window.bytes.start));
    matches.extend(chosen.into_iter().map(|window| window.shown(texts)));
}

fn windows(query: &SearchQuery, (texts, folded): (&[Written<'_>], &Folded)) -> Vec<Window> {
    // By text: the places and their terms.
    let mut found: BTreeMap<usize, Vec<(Range<usize>, usize)>> = BTreeMap::new();
    for (number, term) in query.terms.iter().enumerate() {
        let Some(has) = term.find(folded.as_str()) else { continue };
        for place in term.places(folded.as_str(), has, PLACES) {
            found.entry(folded.text_at(place.start)).or_default().push((folded.original(&place), number));
        }
    }
    let mut windows = Vec::new();
    for (text, mut places) in found {
        let original = &texts[text].text;
        places.sort_by_key(|(place, _)| (place.start, place.end));
        for (place, term) in places {
            match windows.last_mut() {
                Some(Window { text: last, bytes, marks, terms }) if *last == text && place.end <= bytes.end => {
                    marks.push(place);
                    *terms |= 1 << term;
                }
                _ => {
                    let bytes = around(original, &place);
                    windows.push(Window { text, bytes, marks: vec![place], terms: 1 << term });
                }
            }
        }
    }
    windows
}

/// At most [`CHARACTERS`] characters around a place.
fn around(text: &str, place: &Range<usize>) -> Range<usize> {
    let back =
        |from: usize, most: usize| text[..from].char_indices().rev().take(most).last().map_or(from, |(at, _)| at);
    let start = back(place.start, BEFORE);
    let rest = &text[start..];
    let end = rest.char_indices().nth(CHARACTERS).map_or(text.len(), |(at, _)| start + at);
    // A place near the end of the text shows more before it.
    let length = text[start..end].chars().count();
    back(start, CHARACTERS - length)..end
}

impl Window {
    fn shown(self, texts: &[Written<'_>]) -> Match {
        let Written { spot, text } = &texts[self.text];
        let characters = |from: usize, to: usize| text[from..to.max(from)].chars().count();
        let (start, end) = (self.bytes.start, self.bytes.end);
        let mut marks: Vec<[usize; 2]> = Vec::new();
        for mark in &self.marks {
            let from = characters(start, mark.start.max(start));
            let to = from + characters(mark.start.max(start), mark.end.min(end));
            match marks.last_mut() {
                // Terms can overlap: `bud` and `udget`.
                Some([_, last]) if *last >= from => *last = to.max(*last),
                _ => marks.push([from, to]),
            }
        }
        let excerpt = text[self.bytes].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Match { at: (*spot).into(), excerpt, marks }
    }
}
