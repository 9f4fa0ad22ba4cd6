//! Zero-width joiners and non-joiners that words and emoji are written with (UTS 39 §3.1.1, UTS 51 ED-16).

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        CanonicalCombiningClass, Emoji, EmojiModifier, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup,
        IndicSyllabicCategory, JoiningType, Script,
    },
};

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';

/// Whether this joiner or non-joiner changes what a reader sees. Elsewhere it only hides.
pub fn is_written(c: char, before: &str, after: &str) -> bool {
    match c {
        NON_JOINER => parts_letters(before, after) || parts_conjunct(before, after),
        JOINER => joins_emoji(before, after) || shapes_conjunct(before, after),
        _ => false,
    }
}

// Rule A1: between two letters that would be joined, as in Persian.
fn parts_letters(before: &str, after: &str) -> bool {
    let joining = |c: &char| CodePointMapData::<JoiningType>::new().get(*c);
    let mark = |c: &char| joining(c) == JoiningType::Transparent;
    let (Some(left), Some(right)) = (before.chars().rev().find(|c| !mark(c)), after.chars().find(|c| !mark(c))) else {
        return false;
    };
    matches!(joining(&left), JoiningType::DualJoining | JoiningType::LeftJoining)
        && matches!(joining(&right), JoiningType::DualJoining | JoiningType::RightJoining)
        && script(left) == script(right)
}

// Rule A2: between a dead consonant and the next letter, as in Hindi and Kannada.
fn parts_conjunct(before: &str, after: &str) -> bool {
    let next = after.chars().find(|c| !is_mark(*c));
    next.is_some_and(|next| is_letter(next) && dead_consonant(before).is_some_and(|last| script(last) == script(next)))
}

// Rule B: after a dead consonant, as in Sinhala and Malayalam.
fn shapes_conjunct(before: &str, after: &str) -> bool {
    let syllabic = |c| CodePointMapData::<IndicSyllabicCategory>::new().get(c);
    dead_consonant(before).is_some()
        && after.chars().next().is_none_or(|next| syllabic(next) != IndicSyllabicCategory::VowelDependent)
}

fn joins_emoji(before: &str, after: &str) -> bool {
    let is_style = |c: char| c == '\u{fe0f}' || CodePointSetData::new::<EmojiModifier>().contains(c);
    let element = before.strip_suffix(is_style).unwrap_or(before).chars().next_back();
    element.is_some_and(is_pictograph) && after.chars().next().is_some_and(is_pictograph)
}

fn is_pictograph(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c) && CodePointSetData::new::<Emoji>().contains(c)
}

/// The consonant at the end that a virama has stripped of its vowel.
fn dead_consonant(text: &str) -> Option<char> {
    let class = |c| CodePointMapData::<CanonicalCombiningClass>::new().get(c);
    let mut back = text.chars().rev();
    let mut is_dead = false;
    let consonant = back.find(|c| {
        is_dead |= class(*c) == CanonicalCombiningClass::Virama;
        !is_mark(*c)
    });
    consonant.filter(|c| is_dead && is_letter(*c))
}

fn is_mark(c: char) -> bool {
    // A few viramas are spacing marks.
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    matches!(category, GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark)
        && CodePointMapData::<CanonicalCombiningClass>::new().get(c) != CanonicalCombiningClass::NotReordered
}

fn is_letter(c: char) -> bool {
    GeneralCategoryGroup::Letter.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

fn script(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all joiners of a text are written.
    fn are_written(text: &str) -> bool {
        let joiners = text.match_indices([NON_JOINER, JOINER]);
        joiners
            .map(|(at, joiner)| (joiner.starts_with(JOINER), &text[..at], &text[at + joiner.len()..]))
            .all(|(joins, before, after)| is_written(if joins { JOINER } else { NON_JOINER }, before, after))
    }

    #[test]
    fn words_and_emoji_have_joiners() {
        for text in [
            "می\u{200c}خواهم",
            "نامه\u{200c}ای",
            "क्\u{200d}ष",
            "क्\u{200c}ष",
            "ශ්\u{200d}රී",
            "അവന്\u{200d}",
            "ರಾಜ್\u{200c}ಕುಮಾರ್",
            "👩\u{200d}💻",
            "👩🏽\u{200d}⚕\u{fe0f}",
            "🏳\u{fe0f}\u{200d}🌈",
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
        ] {
            assert!(are_written(text), "{text}");
        }
    }

    #[test]
    fn joiners_that_only_hide_are_not_written() {
        for text in [
            "a\u{200d}b",
            "a\u{200c}b",
            "\u{200c}می",
            "می\u{200c}",
            "می\u{200c}\u{200c}خواهم",
            "کار\u{200c}ها",
            "می\u{200c}b",
            "क\u{200d}ष",
            "क\u{200c}ष",
            "क्\u{200c}a",
            "क्\u{200d}ि",
            "क्ु\u{200c}ष",
            "क्\u{200c}१",
            "१्\u{200d}ष",
            "ক্\u{200c}ष",
            "👩\u{200d}",
            "\u{200d}💻",
            "👩\u{200d}\u{200d}💻",
            "👩\u{200d}a",
            "1\u{200d}2",
            "日\u{200d}本",
            "👩\u{fe0f}\u{fe0f}\u{200d}💻",
        ] {
            assert!(!are_written(text), "{}", text.escape_unicode());
        }
    }
}
