//! What is found, by which pieces, and what is shown of it.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{
    block::{self, BlockWriter, Damaged, Lists},
    fold::Folder,
    found::Folded,
    query::{self, SearchQuery},
    term::Has,
};
use crate::written::{Spot, Written};

fn folded(text: &str) -> String {
    let mut out = String::new();
    Folder::default().fold(text, &mut out);
    out
}

fn written<'a>(texts: &[&'a str]) -> Vec<Written<'a>> {
    texts.iter().map(|text| Written { spot: Spot::Member("content"), text: Cow::Borrowed(text) }).collect()
}

fn asked(text: &str) -> SearchQuery {
    SearchQuery { terms: query::terms(text).expect("terms"), tag: None }
}

fn found(search: &str, texts: &[&str]) -> Option<Has> {
    asked(search).find(&Folded::new(&written(texts), &mut Folder::default()), &[])
}

#[test]
fn a_folded_text_is_its_words_between_breaks() {
    for (text, expected) in [
        ("", "\n"),
        (" - ", "\n"),
        ("Budget-Plan 2026", "\nbudget\nplan\n2026\n"),
        ("Straße CAFE\u{301} ﬁn", "\nstrasse\ncafé\nfin\n"),
        ("会議abc メモ・２つ", "\n会議\nabc\nメモ\n2\nつ\n"),
        ("bud\u{ad}get", "\nbudget\n"),
        ("ﾎﾟﾁ", "\nポチ\n"),
        ("한글 각", "\n한글\n각\n"),
        ("हिन्दी", "\nहिन्दी\n"),
        ("½", "\n1\n2\n"),
    ] {
        assert_eq!(folded(text), expected, "{text:?}");
    }
}

#[test]
fn words_parts_and_phrases_are_found() {
    let texts = ["The budget of May, re-read.", "Über die Straße", "来週の会議メモ", "e-mail at 3.14"];
    for (search, expected) in [
        ("budget", Some(Has::Whole)),
        ("BUDGET may", Some(Has::Whole)),
        ("udge", Some(Has::Part)),
        ("bud may", Some(Has::Part)),
        ("ma", None),
        ("of", Some(Has::Whole)),
        ("may june", None),
        ("\"budget of may\"", Some(Has::Whole)),
        ("\"udget of may\"", None),
        ("\"of budget\"", None),
        ("re-rea", Some(Has::Part)),
        ("re-read", Some(Has::Whole)),
        ("\"read über\"", None),
        ("STRASSE", Some(Has::Whole)),
        ("u\u{308}ber", Some(Has::Whole)),
        ("会議", Some(Has::Whole)),
        ("議メ", Some(Has::Whole)),
        ("議", None),
        ("会メ", None),
        ("３.１４", Some(Has::Whole)),
        ("“budget of", Some(Has::Whole)),
    ] {
        assert_eq!(found(search, &texts), expected, "{search:?}");
    }
}

#[test]
fn a_search_without_a_word_is_refused() {
    for (text, rule) in [
        ("", "must have 1 to 400 bytes, has 0"),
        ("-- \"\"", "must have a letter or a digit"),
        (&"a ".repeat(17), "must have at most 16 words and phrases, has 17"),
    ] {
        assert_eq!(query::terms(text).expect_err("a refusal"), rule);
    }
    assert!(query::terms(&"x".repeat(401)).is_err());
}

#[test]
fn a_tag_is_found_exactly() {
    let query = SearchQuery { terms: Vec::new(), tag: Some("board".to_owned()) };
    let folded = Folded::new(&[], &mut Folder::default());
    assert_eq!(query.find(&folded, &["home".to_owned(), "board".to_owned()]), Some(Has::Whole));
    assert_eq!(query.find(&folded, &["boards".to_owned(), "Board".to_owned()]), None);
    assert!(query.pieces(Has::Whole).iter().all(|piece| folded.pieces(&["board".to_owned()]).contains(piece)));
}

fn shown(search: &str, texts: &[&str]) -> Vec<(String, Vec<String>)> {
    let texts = written(texts);
    let folded = Folded::new(&texts, &mut Folder::default());
    let matches = asked(search).matches(&texts, &folded);
    let marked = |excerpt: &str, [from, to]: [usize; 2]| excerpt.chars().skip(from).take(to - from).collect();
    matches
        .into_iter()
        .map(|found| (found.excerpt.clone(), found.marks.iter().map(|mark| marked(&found.excerpt, *mark)).collect()))
        .collect()
}

#[test]
fn an_excerpt_marks_what_was_found_as_it_is_written() {
    let marks = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        shown("strasse", &["Nichts.", "Die\nSTRASSE und die Straße."]),
        [("Die STRASSE und die Straße.".to_owned(), marks(&["STRASSE", "Straße"]))]
    );
    assert_eq!(shown("bud udget", &["A Budget"]), [("A Budget".to_owned(), marks(&["Budget"]))]);
    assert_eq!(shown("budget", &["budget budget"])[0].1, marks(&["budget", "budget"]));
    assert_eq!(shown("ﬁn", &["the ﬁn"]), [("the ﬁn".to_owned(), marks(&["ﬁn"]))]);
    let first = shown("one two", &["one", "one", "one", "one", "two"]);
    assert_eq!(first.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["one", "one", "two"]);
}

#[test]
fn an_excerpt_of_a_long_text_has_200_characters() {
    let long = format!("{}needle{} needle!", "ä ".repeat(5_000), " ö".repeat(5_000));
    let shown = shown("needle", &[&long]);
    assert_eq!(shown.len(), 2);
    for (excerpt, marks) in shown {
        assert_eq!((excerpt.chars().count(), marks), (200, vec!["needle".to_owned()]));
    }
}

/// Texts in which words are parts of one another, in several scripts.
fn text() -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "A",
        "é",
        "e\u{301}",
        "ß",
        "ﬁ",
        "会",
        "議",
        "メ",
        "が",
        "か\u{3099}",
        "한",
        "ㅎ",
        " ",
        " ",
        "-",
        "\"",
        "1",
        "\u{ad}",
        "हि",
        "\u{301}",
        ".",
        "\n",
    ]);
    prop::collection::vec(letter, 0..12).prop_map(|letters| letters.concat())
}

proptest! {
    #[test]
    fn a_found_text_has_all_pieces_of_the_search(texts in prop::collection::vec(text(), 0..3), search in text()) {
        let Ok(terms) = query::terms(&search) else { return Ok(()) };
        let query = SearchQuery { terms, tag: None };
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let texts = written(&texts);
        let folded = Folded::new(&texts, &mut Folder::default());
        let has = folded.pieces(&[]);
        let Some(rank) = query.find(&folded, &[]) else { return Ok(()) };
        for piece in query.pieces(rank).into_iter().chain(query.pieces(Has::Part)) {
            prop_assert!(has.contains(&piece), "{piece:x} of {search:?}");
        }
        prop_assert!(!query.pieces(Has::Part).is_empty());
        let matches = query.matches(&texts, &folded);
        prop_assert!((1..=3).contains(&matches.len()));
        for found in matches {
            let length = found.excerpt.chars().count();
            prop_assert!(length <= 200 && !found.marks.is_empty());
            prop_assert!(found.marks.is_sorted() && found.marks.iter().all(|[from, to]| from < to && *to <= length), "{found:?}");
        }
    }

    #[test]
    fn a_part_of_a_text_is_found(text in "[a-e会議]{3,12}", start in 0usize..9, length in 3usize..9) {
        let part: String = text.chars().skip(start).take(length).collect();
        // One run, so that the part is a part of a word.
        let is_one = part.chars().count() >= 3 && (part.is_ascii() || !part.chars().any(|c| c.is_ascii()));
        if is_one {
            prop_assert!(found(&part, &[&text]).is_some(), "{part} in {text}");
        }
    }

    #[test]
    fn blocks_keep_their_lists(lists in prop::collection::btree_map(any::<i64>(), prop::collection::btree_set(0i64..1_000_000, 0..300), 0..60)) {
        let mut writer = BlockWriter::new(-7);
        for (piece, numbers) in &lists {
            writer.push(*piece, numbers.iter().copied());
        }
        let blocks = writer.finish();
        prop_assert!(blocks.is_sorted_by(|one, next| one.first_piece < next.first_piece));
        let mut read = Vec::new();
        for block in &blocks {
            for list in Lists::of(&block.bytes) {
                let (piece, bytes) = list.expect("a list");
                let mut numbers = Vec::new();
                block::numbers(bytes, -7, &mut numbers).expect("numbers");
                prop_assert_eq!(block::of_piece(&block.bytes, piece), Ok(bytes));
                read.push((piece, numbers));
            }
        }
        let written: Vec<_> = lists.into_iter().filter(|(_, numbers)| !numbers.is_empty())
            .map(|(piece, numbers)| (piece, numbers.into_iter().collect::<Vec<_>>())).collect();
        prop_assert_eq!(read, written);
    }

    #[test]
    fn lists_have_in_common_what_both_have(
        one in prop::collection::btree_set(0i64..300, 0..100),
        other in prop::collection::btree_set(0i64..300, 1..100),
    ) {
        let mut writer = BlockWriter::new(0);
        writer.push(1, other.iter().copied());
        let block = writer.finish().remove(0);
        let mut kept: Vec<i64> = one.iter().copied().collect();
        block::keep_common(&mut kept, block::of_piece(&block.bytes, 1).expect("a list"), 0).expect("numbers");
        prop_assert_eq!(kept, one.intersection(&other).copied().collect::<Vec<_>>());
        prop_assert_eq!(block::of_piece(&block.bytes, 2), Ok(&[][..]));
    }

    #[test]
    fn damaged_blocks_are_noticed_and_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        for list in Lists::of(&bytes) {
            let Ok((_, list)) = list else { return Ok(()) };
            let _: Result<(), Damaged> = block::numbers(list, 0, &mut Vec::new());
            let _: Result<(), Damaged> = block::keep_common(&mut vec![0, 7], list, 0);
        }
    }
}
