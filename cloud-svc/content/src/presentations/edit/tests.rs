//! Plans for presentations: against the model, and what is particular to them.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Name, Random, json_reader};

use super::super::content::{PresentationContent, Slide};
use crate::{
    anchor::Anchor,
    content::Content as _,
    grid::Area,
    test_support::{
        canvas_checks,
        canvas_plans::{self, element},
        plans::{a_move_says_where_to, check_examples, content, rebases},
    },
    written::{Spot, Written},
};

fn slide() -> Value {
    json!({"id": "p", "name": "n", "background": "#ffffff", "elements": [], "notes": ""})
}

fn base() -> PresentationContent {
    content(&json!({"slides": canvas_plans::base(&slide())}))
}

proptest! {
    #[test]
    fn a_rebase_loses_no_change_of_either_side(
        ours in proptest::collection::vec(canvas_plans::operation("slide", slide()), 0..5),
        theirs in proptest::collection::vec(canvas_plans::operation("slide", slide()), 0..5),
    ) {
        rebases(&base(), ours, theirs)?;
    }

    #[test]
    fn plans_come_to_what_a_model_says(
        operations in proptest::collection::vec(canvas_plans::operation("slide", slide()), 0..20),
    ) {
        canvas_plans::check::<PresentationContent, Slide>(&base(), operations)?;
    }
}

#[test]
fn changes_and_refusals_name_their_places() {
    canvas_checks::a_change_names_its_place::<PresentationContent, Slide>(&slide());
    canvas_checks::a_replacement_keeps_its_id::<PresentationContent, Slide>(&slide());
    canvas_checks::refusals_point_at_what_is_wrong::<PresentationContent, Slide>(&slide());
}

#[test]
fn ids_are_given_once() {
    canvas_checks::ids_of_what_was_deleted_are_not_given_again::<PresentationContent, Slide>(&slide());
    canvas_checks::what_is_brought_without_an_id_gets_one::<PresentationContent, Slide>(&slide());
}

#[test]
fn the_smallest_is_one_empty_slide() {
    let mut smallest = PresentationContent::smallest(&Name::parse("a").expect("a name"));
    smallest.give_ids(&Random::seeded(1));
    let stored = serde_json::to_value(&smallest).expect("JSON");
    assert!(json_reader::read::<PresentationContent>(&stored).is_ok());
    assert_eq!(stored["slides"][0]["elements"], json!([]));
    assert_eq!(smallest.part_ids().len(), 1);
}

#[test]
fn comments_are_about_what_is_there() {
    let has = |anchor: &Value| base().has_anchor(&json_reader::read::<Anchor>(anchor).expect("an anchor"));
    for anchor in [json!({}), json!({"slide_id": "p0"}), json!({"block_id": "e5"})] {
        assert!(has(&anchor), "{anchor}");
    }
    for anchor in [json!({"block_id": "p0"}), json!({"slide_id": "e0"}), json!({"range": "A1"})] {
        assert!(!has(&anchor), "{anchor}");
    }
}

/// Two slides. The first has elements `a` and `b`, and notes.
fn two_slides(text: &str) -> PresentationContent {
    let (mut first, mut second) = (slide(), slide());
    (first["elements"], first["notes"]) = (json!([element("a", text), element("b", "below")]), json!("say this"));
    second["id"] = json!("q");
    content(&json!({"slides": [first, second]}))
}

#[test]
fn a_slide_changes_with_its_elements_and_an_element_alone() {
    let places =
        [json!({"slide_id": "p"}), json!({"slide_id": "q"}), json!({"block_id": "a"}), json!({"block_id": "b"})]
            .map(|place| json_reader::read::<Anchor>(&place).expect("an anchor"));
    let changes = |later| two_slides("old").changes_at(&two_slides(later), None, &places);
    assert_eq!((changes("new"), changes("old")), (vec![true, false, true, false], vec![false; 4]));
}

#[test]
fn a_reviewer_sees_a_slide_as_a_whole_and_the_slides_beside_it() {
    let near_a = |names: [&str; 3]| {
        let slide = |at: usize| {
            let mut slide = slide();
            (slide["id"], slide["name"]) = (json!(format!("p{at}")), json!(names[at]));
            slide
        };
        let slides: PresentationContent = content(&json!({"slides": [slide(0), slide(1), slide(2)]}));
        slides.surroundings(&["p0!a".to_owned()].into()).expect("JSON")
    };
    let seen = near_a(["one", "two", "three"]);
    assert_eq!(near_a(["one", "two", "3"]), seen);
    assert_ne!(near_a(["1", "two", "three"]), seen);
    assert_ne!(near_a(["one", "2", "three"]), seen);
}

#[test]
fn parts_and_texts_are_in_reading_order() {
    let slides = two_slides("above");
    let names = [0..1, 0..3, 1..3].map(|rows| slides.place_of(0, &Area { rows, columns: 0..1 }));
    assert_eq!(names, ["p", "p:b", "a:b"]);
    let texts: Vec<_> = slides.passages().map(|passage| passage.text).collect();
    assert_eq!(texts, ["n", "above", "below", "say this", "n"]);
    let spots = [Spot::Slide("p"), Spot::Block("a"), Spot::Block("b"), Spot::Slide("p"), Spot::Slide("q")];
    let found: Vec<_> = spots.into_iter().zip(texts).map(|(spot, text)| Written { spot, text: text.into() }).collect();
    assert_eq!(slides.written(), found);
}

#[test]
fn a_move_names_the_part_before_it_or_null() {
    a_move_says_where_to::<PresentationContent>(json!({"op": "move_slide", "slide_id": "s", "after_id": "a"}));
    a_move_says_where_to::<PresentationContent>(
        json!({"op": "move_element", "slide_id": "s", "element_id": "e", "after_id": "a"}),
    );
}

#[test]
fn examples_keep_the_rules() {
    check_examples::<PresentationContent>();
}
