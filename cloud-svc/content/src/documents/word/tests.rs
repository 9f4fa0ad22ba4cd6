//! A plan as a Word file, and the choices that its texts show.

use std::{
    collections::HashSet,
    io::{Cursor, read_to_string},
};

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::json_reader;
use zip::ZipArchive;

use super::{
    Choice, Choices, Paragraph, Tracked, Unexpected, Versions, choices, docx,
    slots::{Slot, slots},
};
use crate::{documents::content::DocumentContent, part_id::PartId};

fn document(blocks: Value) -> DocumentContent {
    json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document")
}

fn paragraph(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "paragraph", "segments": [{"text": text}]})
}

fn between(before: DocumentContent, after: DocumentContent) -> Versions {
    Versions { before, after, moved: HashSet::new() }
}

fn left(texts: &[&str]) -> Vec<Paragraph> {
    texts.iter().map(|text| Paragraph { before: (*text).to_owned(), after: (*text).to_owned() }).collect()
}

fn chosen(choices: &Choices) -> Vec<(&str, Choice)> {
    choices.iter().map(|(id, choice)| (id.as_str(), *choice)).collect()
}

fn two_versions() -> Versions {
    let before = document(json!([
        paragraph("a", "First."),
        paragraph("b", "Begin at 9:30."),
        paragraph("c", "Gone soon."),
        paragraph("d", "Moves down."),
        paragraph("e", "Last."),
    ]));
    let after = document(json!([
        paragraph("a", "First."),
        paragraph("b", "Begin at 10:00."),
        paragraph("new", "New here."),
        paragraph("e", "Last."),
        paragraph("d", "Moves down."),
    ]));
    let moved = ["d".parse().expect("an id")].into();
    Versions { before, after, moved }
}

#[test]
fn each_change_is_accepted_or_rejected_by_the_text_that_is_left() {
    let versions = two_versions();
    let all = |texts: &[&str]| choices(&versions, &left(texts));
    use Choice::{Accepted, Rejected};
    let accepted = all(&["First.", "Begin at 10:00.", "New here.", "Last.", "Moves down."]).expect("choices");
    let everything = ["b", "c", "d", "new"];
    assert_eq!(chosen(&accepted), everything.map(|id| (id, Accepted)));
    let rejected = all(&["First.", "Begin at 9:30.", "Gone soon.", "Moves down.", "Last."]).expect("choices");
    assert_eq!(chosen(&rejected), everything.map(|id| (id, Rejected)));
    let some = all(&["First.", "", "Begin at 10:00.", "Moves  down.", "New\there.", "Last."]).expect("choices");
    assert_eq!(chosen(&some), [("b", Accepted), ("c", Accepted), ("d", Rejected), ("new", Accepted)]);
}

#[test]
fn a_block_that_is_both_here_and_there_is_open() {
    let versions = two_versions();
    let both = ["First.", "Begin at 9:30.", "Gone soon.", "Moves down.", "Last.", "Moves down."];
    assert_eq!(
        choices(&versions, &left(&both)).expect("choices")[&"d".parse::<PartId>().expect("an id")],
        Choice::Open
    );
}

#[test]
fn what_is_still_tracked_is_open() {
    let versions = two_versions();
    let tracked = |before: &str, after: &str| vec![Paragraph { before: before.to_owned(), after: after.to_owned() }];
    let paragraphs = [
        left(&["First."]),
        tracked("Begin at 9:30.", "Begin at 10:00."),
        tracked("Gone soon.", ""),
        left(&["Moves down.", "New here.", "Last."]),
        tracked("", ""),
    ];
    let found = choices(&versions, &paragraphs.concat()).expect("choices");
    use Choice::{Accepted, Open, Rejected};
    assert_eq!(chosen(&found), [("b", Open), ("c", Open), ("d", Rejected), ("new", Accepted)]);
}

#[test]
fn other_words_are_refused_with_their_place() {
    let versions = two_versions();
    let found = choices(&versions, &left(&["First.", "Begin at 9:45."]));
    let text = Some("Begin at 9:45.".to_owned());
    assert_eq!(found, Err(Unexpected { paragraph: 2, text, block: Some("b".parse().expect("an id")) }));
    let found = choices(&versions, &left(&["First!"]));
    assert_eq!(found, Err(Unexpected { paragraph: 1, text: Some("First!".to_owned()), block: None }));
    let found = choices(&versions, &left(&["First.", "Begin at 10:00."]));
    assert!(found.is_err_and(|unexpected| unexpected.text.is_none()));
    let more = ["First.", "Begin at 10:00.", "New here.", "Last.", "Moves down.", "And more."];
    assert!(choices(&versions, &left(&more)).is_err_and(|unexpected| unexpected.paragraph == 6));
}

#[test]
fn rows_of_tables_are_chosen_together() {
    let table = |rows: &[[&str; 2]]| {
        let cell = |text: &str| json!([{"text": text}]);
        let rows: Vec<Value> = rows.iter().map(|[one, two]| json!([cell(one), cell(two)])).collect();
        json!([{"id": "t", "type": "table", "segments": [], "rows": rows}])
    };
    let versions = between(
        document(table(&[["Rent", "900"], ["Food", "300"]])),
        document(table(&[["Rent", "950"], ["Food", "300"]])),
    );
    let by_rows = |texts: &[&str]| choices(&versions, &left(texts)).map(|choices| chosen(&choices)[0].1);
    assert_eq!(by_rows(&["Rent 950", "Food 300"]), Ok(Choice::Accepted));
    assert_eq!(by_rows(&["Rent 900", "Food 300"]), Ok(Choice::Rejected));
    assert!(by_rows(&["Rent 900", "Rent 950", "Food 300"]).is_err());
}

/// Any of thousands of places may begin the next table, and its rows are compared once for all of them.
#[test]
fn tables_of_equal_rows_fit_at_many_places() {
    let rows = |index: usize, step: usize| 1 + index * step % 50;
    let tables = |step: usize| {
        let table = |index: usize| {
            let rows: Vec<Value> = (0..rows(index, step)).map(|_| json!([[{"text": "a"}]])).collect();
            json!({"id": format!("t{index}"), "type": "table", "segments": [], "rows": rows})
        };
        document((0..100).map(table).collect())
    };
    let count: usize = (0..100).map(|index| rows(index, 1)).sum();
    let found = choices(&between(tables(1), tables(2)), &left(&vec!["a"; count])).expect("choices");
    assert_eq!(found.len(), (0..100).filter(|index| rows(*index, 1) != rows(*index, 2)).count());
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    let versions = two_versions();
    let write = || docx(&versions, Tracked { author: "ada & <co>", at: "2026-11-25T09:00:00Z" }).expect("a file");
    assert_eq!(write(), write());
}

#[test]
fn a_link_has_only_characters_that_xml_has() {
    let segment = json!({"text": "x", "link": "https://a.example/\u{fffe}b\u{ffff}&c"});
    let linked = document(json!([{"id": "a", "type": "paragraph", "segments": [segment]}]));
    let versions = between(document(json!([paragraph("a", "x")])), linked);
    let file = docx(&versions, Tracked { author: "ada", at: "2026-11-25T09:00:00Z" }).expect("a file");
    let mut archive = ZipArchive::new(Cursor::new(file)).expect("an archive");
    let links = read_to_string(archive.by_name("word/_rels/document.xml.rels").expect("links")).expect("text");
    assert!(links.contains(r#"Target="https://a.example/b&amp;c""#), "{links}");
}

/// Blocks with a text each, or none.
fn blocks(texts: &'static str) -> impl Strategy<Value = Vec<(u8, String)>> {
    proptest::collection::vec((0..12_u8, texts), 1..8).prop_map(|mut blocks| {
        blocks.sort_by_key(|(id, _)| *id);
        blocks.dedup_by_key(|(id, _)| *id);
        blocks
    })
}

fn of(blocks: &[(u8, String)]) -> DocumentContent {
    document(blocks.iter().map(|(id, text)| paragraph(&format!("b{id}"), text)).collect())
}

const WAYS: [Choice; 3] = [Choice::Open, Choice::Accepted, Choice::Rejected];

/// The texts that are left when each block is accepted, rejected or left open.
fn resolved(slots: &[Slot<'_>], ways: &[Choice]) -> Vec<Paragraph> {
    let mut paragraphs = Vec::new();
    for (slot, way) in slots.iter().zip(ways.iter().cycle()) {
        for item in slot.items() {
            let (old, new) = (item.before.unwrap_or_default(), item.after.unwrap_or_default());
            paragraphs.push(match way {
                Choice::Open => Paragraph { before: old, after: new },
                Choice::Accepted => Paragraph { before: new.clone(), after: new },
                Choice::Rejected => Paragraph { before: old.clone(), after: old },
            });
        }
    }
    paragraphs
}

proptest! {
    #[test]
    fn choices_are_read_from_the_text_to_which_they_lead(
        mut old in blocks("[xyz]"), mut new in blocks("[xyz]"), turn in 0..8_usize,
        ways in proptest::collection::vec(proptest::sample::select(&WAYS[..]), 1..20),
    ) {
        // No two blocks have the same text, so there is one explanation.
        old.iter_mut().chain(&mut new).for_each(|(id, text)| text.push_str(&id.to_string()));
        let turn = turn % new.len();
        new.rotate_left(turn);
        let versions = between(of(&old), of(&new));
        let slots = slots(&versions);
        prop_assert_eq!(slots.iter().filter(|slot| slot.before.is_some()).count(), versions.before.blocks.len());
        prop_assert_eq!(slots.iter().filter(|slot| slot.after.is_some()).count(), versions.after.blocks.len());
        let mut expected = Choices::new();
        for (slot, way) in slots.iter().zip(ways.iter().cycle()).filter(|(slot, _)| slot.is_changed()) {
            let together = |other: &mut Choice| if *other != *way { *other = Choice::Open };
            expected.entry(slot.id().expect("an id").clone()).and_modify(together).or_insert(*way);
        }
        prop_assert_eq!(choices(&versions, &resolved(&slots, &ways)), Ok(expected));
    }

    #[test]
    fn texts_that_stand_twice_or_are_empty_have_an_explanation(
        old in blocks("[ab ]{0,2}"), mut new in blocks("[ab ]{0,2}"), turn in 0..8_usize,
        ways in proptest::collection::vec(proptest::sample::select(&WAYS[..]), 1..20),
    ) {
        let turn = turn % new.len();
        new.rotate_left(turn);
        let versions = between(of(&old), of(&new));
        prop_assert!(choices(&versions, &resolved(&slots(&versions), &ways)).is_ok());
        let by = Tracked { author: "ada", at: "2026-11-25T09:00:00Z" };
        prop_assert!(docx(&versions, by).is_ok());
    }
}
