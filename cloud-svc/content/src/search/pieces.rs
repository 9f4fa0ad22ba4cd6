//! The pieces of words that the index knows. They are three characters of a word with marks at its ends, or two of a
//! CJK run.

use super::{fold::words, script::is_cjk};

/// A piece as a number: three characters of 21 bits, or, below 0, the hash of a tag.
pub type Piece = i64;

const START: char = '\u{1}';
const END: char = '\u{2}';

/// What stands at an end of a searched word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The end of a word.
    Closed,
    /// Perhaps more letters of the word.
    Open,
}

/// Notes the pieces of all words of a folded text, some of them repeatedly.
pub fn of_text(folded: &str, mut note: impl FnMut(Piece)) {
    for word in words(folded) {
        of_word(word, (Edge::Closed, Edge::Closed), &mut note);
    }
}

/// Notes the pieces that each text with this word has.
pub fn of_word(word: &str, (start, end): (Edge, Edge), note: &mut impl FnMut(Piece)) {
    let is_cjk = is_cjk(word);
    let mut characters = word.chars();
    let is_single = characters.next().is_some() && characters.next().is_none();
    if is_cjk && !is_single {
        let mut before = None;
        for c in word.chars() {
            if let Some(before) = before.replace(c) {
                note(number(['\0', before, c]));
            }
        }
        return;
    }
    // A single CJK character is known only as a run of its own: as a part it would be in most texts.
    let first = (start == Edge::Closed).then_some(START);
    let last = (end == Edge::Closed).then_some(END);
    let mut window = ['\0'; 3];
    for (index, c) in first.into_iter().chain(word.chars()).chain(last).enumerate() {
        window = [window[1], window[2], c];
        if index >= 2 {
            note(number(window));
        }
    }
}

/// The piece of a tag in normalization form C.
pub fn of_tag(tag: &str) -> Piece {
    // FNV-1a: small, and the same in every release, which the stored index needs. Two tags with one hash only cost a
    // comparison.
    let hash = tag
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash >> 1).cast_signed() | Piece::MIN
}

fn number(characters: [char; 3]) -> Piece {
    characters.into_iter().fold(0, |number, c| number << 21 | Piece::from(u32::from(c)))
}
