//! Plans for publications: against the model, and what is particular to them.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Name, Random, json_reader};

use super::super::content::{Page, PublicationContent};
use crate::{
    anchor::Anchor,
    content::Content as _,
    test_support::{
        canvas_checks, canvas_plans,
        plans::{a_move_says_where_to, check_examples, content, rebases},
    },
};

fn page() -> Value {
    json!({"id": "p", "name": "n", "size": "a4", "orientation": "portrait", "background": "#ffffff", "elements": []})
}

fn base() -> PublicationContent {
    content(&json!({"pages": canvas_plans::base(&page())}))
}

proptest! {
    #[test]
    fn a_rebase_loses_no_change_of_either_side(
        ours in proptest::collection::vec(canvas_plans::operation("page", page()), 0..5),
        theirs in proptest::collection::vec(canvas_plans::operation("page", page()), 0..5),
    ) {
        rebases(&base(), ours, theirs)?;
    }

    #[test]
    fn plans_come_to_what_a_model_says(
        operations in proptest::collection::vec(canvas_plans::operation("page", page()), 0..20),
    ) {
        canvas_plans::check::<PublicationContent, Page>(&base(), operations)?;
    }
}

#[test]
fn changes_and_refusals_name_their_places() {
    canvas_checks::a_change_names_its_place::<PublicationContent, Page>(&page());
    canvas_checks::a_replacement_keeps_its_id::<PublicationContent, Page>(&page());
    canvas_checks::refusals_point_at_what_is_wrong::<PublicationContent, Page>(&page());
}

#[test]
fn ids_are_given_once() {
    canvas_checks::ids_of_what_was_deleted_are_not_given_again::<PublicationContent, Page>(&page());
    canvas_checks::what_is_brought_without_an_id_gets_one::<PublicationContent, Page>(&page());
}

#[test]
fn the_smallest_is_one_empty_page() {
    let mut smallest = PublicationContent::smallest(&Name::parse("a").expect("a name"));
    smallest.give_ids(&Random::seeded(1));
    let stored = serde_json::to_value(&smallest).expect("JSON");
    assert!(json_reader::read::<PublicationContent>(&stored).is_ok());
    assert_eq!(stored["pages"][0]["elements"], json!([]));
    assert_eq!(smallest.part_ids().len(), 1);
}

#[test]
fn comments_are_about_what_is_there() {
    let has = |anchor: &Value| base().has_anchor(&json_reader::read::<Anchor>(anchor).expect("an anchor"));
    for anchor in [json!({}), json!({"block_id": "p0"}), json!({"block_id": "e5"})] {
        assert!(has(&anchor), "{anchor}");
    }
    for anchor in [json!({"block_id": "e6"}), json!({"slide_id": "p0"}), json!({"range": "A1"})] {
        assert!(!has(&anchor), "{anchor}");
    }
}

#[test]
fn a_move_names_the_part_before_it_or_null() {
    a_move_says_where_to::<PublicationContent>(json!({"op": "move_page", "page_id": "p", "after_id": "a"}));
    a_move_says_where_to::<PublicationContent>(
        json!({"op": "move_element", "page_id": "p", "element_id": "e", "after_id": "a"}),
    );
}

#[test]
fn examples_keep_the_rules() {
    check_examples::<PublicationContent>();
}
