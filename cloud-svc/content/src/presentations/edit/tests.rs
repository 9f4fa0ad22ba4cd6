//! Plans for presentations: against the model, and what is particular to them.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Name, Random, json_reader};

use super::super::content::{PresentationContent, Slide};
use crate::{
    anchor::Anchor,
    content::Content as _,
    test_support::{
        canvas_checks, canvas_plans,
        plans::{a_move_says_where_to, check_examples, content, rebases},
    },
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
