//! The macros, used from another crate as the services use them.

use serde_json::json;
use shared_model::{
    Problem, json_reader,
    rule::{Array, Integer, OneLine},
};

shared_model::text_enum! {
    /// Whether a door is open.
    pub enum Door {
        /// Everyone may enter.
        Open = "open",
        /// Nobody may.
        Closed = "closed",
    }
}

shared_model::text_type! {
    /// The name of a key.
    pub struct KeyName {
        pattern = "^[!-~]{1,100}$",
        example = "press-2026",
        rule = "must be 1 to 100 visible ASCII characters",
        check = |text| (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    }
}

shared_model::hex_ids! {
    /// An export of a room.
    pub struct ExportId = "exp";
}

shared_model::serial_ids! {
    /// A file of a workspace.
    pub struct FileId = "file";
}

shared_model::json_object! {
    /// What is ordered.
    #[derive(Debug, PartialEq)]
    pub struct Basket {
        /// The things in it.
        pub lines: Vec<BasketLine> as Array<BasketLine, 1, 200>,
        /// A voucher.
        pub voucher: Option<String> as OneLine<32>,
    }
    example = {"lines": [{"name": "Small room", "quantity": 1}]};

    /// One thing in a basket.
    #[derive(Debug, PartialEq)]
    pub struct BasketLine {
        /// Its name.
        pub name: String as OneLine<190>,
        /// How many.
        pub quantity: i64 as Integer<1, 1000>,
    }
}

#[test]
fn a_text_enum_is_one_of_its_words() {
    assert_eq!(Door::Open.as_str(), "open");
    assert_eq!(Door::from_word("closed"), Some(Door::Closed));
    assert_eq!(Door::from_word("ajar"), None);
}

#[test]
fn a_text_type_keeps_its_rule() {
    assert_eq!("press-1".parse::<KeyName>().expect("a name").as_str(), "press-1");
    assert_eq!("".parse::<KeyName>(), Err("must be 1 to 100 visible ASCII characters"));
}

#[test]
fn ids_have_one_spelling() {
    let id: ExportId = "exp_000102030405060708090a0b0c0d0e0f".parse().expect("an id of an export");
    assert_eq!(id.as_str(), "exp_000102030405060708090a0b0c0d0e0f");
    assert!("exp_1".parse::<ExportId>().is_err());
    let id: FileId = "file_42".parse().expect("an id of a file");
    assert_eq!(id.number(), 42);
    assert!("file_042".parse::<FileId>().is_err());
}

#[test]
fn a_json_object_reports_every_problem_with_its_place() {
    let sent = json!({"lines": [{"name": "", "quantity": 0}], "colour": "red"});
    let problems: Vec<Problem> = json_reader::read::<Basket>(&sent).expect_err("three problems");
    let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
    assert_eq!(places, ["/lines/0/name", "/lines/0/quantity", "/colour"]);
}
