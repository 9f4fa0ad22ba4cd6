//! The macros, used from another crate as the services use them.

use serde_json::{Value, json};
use shared_model::{
    Name, Problem, Timestamp, json_reader,
    rule::{Array, Integer, NonEmptyText, OneLine, Sku, Text},
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

shared_model::json_object! {
    /// A member of each kind.
    #[derive(Debug, PartialEq)]
    pub struct Parcel {
        pub name: Name,
        pub sent_at: Timestamp,
        pub is_gift: bool,
        pub text: String as Text<4>,
        pub label: String as NonEmptyText<4>,
        pub sku: String as Sku,
        pub lines: Vec<i64> as Array<Integer<1, 9>, 1, 2>,
        pub sender: Option<String> as OneLine<4> | null,
        pub copies: i64 as Integer<0, 9> | default,
    }
}

fn parcel(members: Value) -> Value {
    let mut parcel = json!({
        "name": "Box", "sent_at": "1970-01-01T00:00:07Z", "is_gift": true, "text": "", "label": "a\nb", "sku": "A-1_b.2",
        "lines": [1, 2]
    });
    let Value::Object(members) = members else { panic!("an object") };
    parcel.as_object_mut().expect("an object").extend(members);
    parcel
}

#[test]
fn a_member_of_each_kind_is_read() {
    let bare = Parcel {
        name: Name::parse("Box").expect("a name"),
        sent_at: Timestamp::from_seconds(7),
        is_gift: true,
        text: String::new(),
        label: "a\nb".to_owned(),
        sku: "A-1_b.2".to_owned(),
        lines: vec![1, 2],
        sender: None,
        copies: 0,
    };
    for members in [json!({}), json!({"sender": null, "copies": 0})] {
        assert_eq!(json_reader::read::<Parcel>(&parcel(members)).as_ref(), Ok(&bare));
    }
    let more = Parcel { is_gift: false, text: "abcd".to_owned(), sender: Some("Ada".to_owned()), copies: 9, ..bare };
    let members = json!({"is_gift": false, "text": "abcd", "sender": "Ada", "copies": 9});
    assert_eq!(json_reader::read(&parcel(members)), Ok(more));
}

#[test]
fn a_member_that_breaks_its_rule_is_named() {
    let long = "x".repeat(65);
    for (name, value) in [
        ("name", json!("a/b")),
        ("sent_at", json!("yesterday")),
        ("is_gift", json!(1)),
        ("text", json!("abcde")),
        ("label", json!("")),
        ("label", json!("abcde")),
        ("sku", json!("")),
        ("sku", json!("a b")),
        ("sku", json!("é")),
        ("sku", json!(long)),
        ("lines", json!([])),
        ("lines", json!([1, 2, 3])),
        ("sender", json!("")),
        ("copies", json!(10)),
        ("copies", json!(null)),
    ] {
        let problems = json_reader::read::<Parcel>(&parcel(json!({ name: value }))).expect_err(name);
        let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
        assert_eq!(places, [format!("/{name}")]);
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
