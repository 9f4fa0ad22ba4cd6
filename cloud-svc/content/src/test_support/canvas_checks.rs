//! Checks of the rules that publications and presentations share.

use std::collections::HashSet;

use serde_json::{Value, json};
use shared_model::{Random, json_reader};

use super::canvas_plans::{self, element};
use crate::{
    canvas::Canvas,
    content::Content,
    preview::Preview,
    test_support::plans::{carry_out, content, text},
};

/// Content with pages or slides like `canvas`, each with an id and elements.
fn with<K: Canvas>(canvas: &Value, parts: &[(&str, Value)]) -> Value {
    let part = |(id, elements): &(&str, Value)| {
        let mut canvas = canvas.clone();
        (canvas["id"], canvas["elements"]) = (json!(id), elements.clone());
        canvas
    };
    json!({K::LIST: parts.iter().map(part).collect::<Value>()})
}

/// The JSON pointers at which `content` breaks rules.
pub fn problems<C: Content>(content: &Value) -> Vec<String> {
    match json_reader::read::<C>(content) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.at).collect(),
    }
}

pub fn members_of_an_element_are_bounded<C: Content, K: Canvas>(canvas: &Value) {
    let outside = json!({
        "x": [-0.1, 98.1, "0", null],
        "y": [-1, 99],
        "w": [1.9, 100.1],
        "h": [1, 101],
        "rotation": [-180.1, 181],
        "fontSize": [7.9, 161],
        "weight": [500, 400.5, "400", 0],
        "fill": ["ffffff", "#fffff", "#fffffff", "#gggggg", "#ééé", 0],
        "color": ["red"],
        "align": ["justify"],
        "type": ["image"],
        "text": ["a".repeat(10_001)],
        "id": ["", "a b", "é", null]
    });
    let inside = json!({
        "x": [0, 98, 12.345],
        "w": [2, 100],
        "rotation": [-180, 180],
        "fontSize": [8, 160],
        "weight": [400, 600, 700, 800],
        "fill": ["#aAbBcC"],
        "text": ["", "a\n\tb"]
    });
    for (values, is_inside) in [(inside, true), (outside, false)] {
        for (member, values) in values.as_object().expect("members") {
            for value in values.as_array().expect("values") {
                let mut element = element("e", "");
                element[member] = value.clone();
                let problems = problems::<C>(&with::<K>(canvas, &[("p", json!([element]))]));
                let at = format!("/{}/0/elements/0/{member}", K::LIST);
                assert_eq!(problems, if is_inside { vec![] } else { vec![at] }, "{value}");
            }
        }
    }
}

pub fn ids_are_unique_among_all_parts<C: Content, K: Canvas>(canvas: &Value) {
    let content = with::<K>(
        canvas,
        &[
            ("p", json!([element("a", ""), element("a", "")])),
            ("p", json!([element("p", ""), element("b", "")])),
            ("b", json!([])),
        ],
    );
    let places = ["0/elements/1/id", "1/id", "1/elements/0/id", "2/id"].map(|place| format!("/{}/{place}", K::LIST));
    assert_eq!(problems::<C>(&content), places);
}

/// At most `max` pages or slides with 80 elements each, and a million bytes.
pub fn counts_and_bytes_are_bounded<C: Content, K: Canvas>(canvas: &Value, max: usize) {
    let of = |count: usize| {
        let ids: Vec<String> = (0..count).map(|number| format!("p{number}")).collect();
        problems::<C>(&with::<K>(canvas, &ids.iter().map(|id| (id.as_str(), json!([]))).collect::<Vec<_>>()))
    };
    let list = format!("/{}", K::LIST);
    assert_eq!((of(max), of(max + 1), of(0)), (vec![], vec![list.clone()], vec![list.clone()]));
    let elements =
        |ids: std::ops::Range<usize>, text: &str| ids.map(|id| element(&format!("e{id}"), text)).collect::<Value>();
    assert_eq!(problems::<C>(&with::<K>(canvas, &[("p", elements(0..80, ""))])), [""; 0]);
    assert_eq!(problems::<C>(&with::<K>(canvas, &[("p", elements(0..81, ""))])), [format!("{list}/0/elements")]);
    let long = "a".repeat(9_500);
    let two =
        |last| problems::<C>(&with::<K>(canvas, &[("p", elements(0..80, &long)), ("q", elements(80..last, &long))]));
    assert_eq!((two(100), two(106)), (vec![], vec![String::new()]));
}

// The bound is on the stored bytes, so ids count before they are given.
pub fn absent_ids_count_as_those_that_are_given<C: Content, K: Canvas>(canvas: &Value) {
    let without_id = without("id", &element("", &"a".repeat(9_800)));
    let content = |last: usize| {
        let mut elements = vec![without_id.clone(); 80];
        elements[79]["text"] = json!("a".repeat(last));
        with::<K>(canvas, &[("p", json!(elements)), ("q", json!(vec![without_id.clone(); 21]))])
    };
    let bytes = |last: usize| {
        let mut content: C = self::content(&content(last));
        content.give_ids(&Random::seeded(1));
        text(&content).len()
    };
    let room = 1_000_000 - bytes(0);
    assert_eq!(bytes(room), 1_000_000);
    assert_eq!(problems::<C>(&content(room + 1)), [""]);
}

pub fn refusals_point_at_what_is_wrong<C: Content, K: Canvas>(canvas: &Value) {
    let word = K::WORD;
    let [insert, replace, delete, move_] = ["insert", "replace", "delete", "move"].map(|verb| format!("{verb}_{word}"));
    let id = format!("{word}_id");
    let brought = |id: &str, elements: Value| with::<K>(canvas, &[(id, elements)])[K::LIST][0].clone();
    let taken = |id| brought(id, json!([element("free", ""), element("e5", "")]));
    let delete_element =
        |within: &str, element: &str| json!({"op": "delete_element", &id: within, "element_id": element});
    for (operation, at) in [
        (json!({"op": delete, &id: "p9"}), format!("/{id}")),
        (json!({"op": insert, word: brought("e0", json!([]))}), format!("/{word}/id")),
        (json!({"op": insert, word: taken("p9")}), format!("/{word}/elements/1/id")),
        (json!({"op": insert, word: brought("p9", json!([element("p9", "")]))}), format!("/{word}/elements/0/id")),
        (json!({"op": replace, &id: "p0", word: taken("p0")}), format!("/{word}/elements/1/id")),
        (json!({"op": replace, &id: "p0", word: brought("p9", json!([]))}), format!("/{word}/id")),
        (json!({"op": move_, &id: "p0", "after_id": "p0"}), "/after_id".to_owned()),
        (delete_element("p0", "e5"), "/element_id".to_owned()),
        (delete_element("e0", "e0"), format!("/{id}")),
        (json!({"op": "insert_element", &id: "p0", "element": element("p1", "")}), "/element/id".to_owned()),
    ] {
        let error = carry_out::<C>(&base::<C, K>(canvas), std::slice::from_ref(&operation)).expect_err("refused");
        let at = format!("/operations/0{at} must ");
        assert!(format!("{error:?}").contains(&at), "{operation} {error:?}");
    }
}

// Also ids of elements on a page or slide that is deleted or replaced.
pub fn ids_of_what_was_deleted_are_not_given_again<C: Content, K: Canvas>(canvas: &Value) {
    let (word, id) = (K::WORD, format!("{}_id", K::WORD));
    let insert = json!({"op": "insert_element", &id: "p1", "element": element("e0", "")});
    let other = with::<K>(canvas, &[("p0", json!([element("e1", "")]))])[K::LIST][0].clone();
    for first in [
        json!({"op": "delete_element", &id: "p0", "element_id": "e0"}),
        json!({"op": format!("delete_{word}"), &id: "p0"}),
        json!({"op": format!("replace_{word}"), &id: "p0", word: other}),
    ] {
        let base = base::<C, K>(canvas);
        assert!(carry_out(&base, std::slice::from_ref(&first)).is_ok());
        assert!(carry_out(&base, &[first, insert.clone()]).is_err());
    }
}

// A replacement gets no new id: it keeps the id of the old part.
pub fn what_is_brought_without_an_id_gets_one<C: Content, K: Canvas>(canvas: &Value) {
    let (word, id) = (K::WORD, format!("{}_id", K::WORD));
    let of_nobody = without("id", &element("", ""));
    let brought = without("id", &with::<K>(canvas, &[("p", json!([of_nobody]))])[K::LIST][0]);
    for (operation, ids) in [
        (json!({"op": format!("insert_{word}"), word: brought}), 2),
        (json!({"op": format!("replace_{word}"), &id: "p0", word: brought}), 1),
        (json!({"op": "insert_element", &id: "p0", "element": of_nobody}), 1),
        (json!({"op": "replace_element", &id: "p0", "element_id": "e0", "element": of_nobody}), 0),
    ] {
        let mut operation: C::Operation = json_reader::read(&operation).expect("an operation");
        C::give_ids_in(&mut operation, &Random::seeded(1));
        assert_eq!(text(&operation).matches("\"id\":\"").count(), ids, "{operation:?}");
    }
}

/// Changes name the page or slide and the element; differences name an element within its page or slide.
pub fn a_change_names_its_place<C: Content, K: Canvas>(canvas: &Value) {
    let (word, id) = (K::WORD, format!("{}_id", K::WORD));
    let plan = [
        json!({"op": "move_element", &id: "p1", "element_id": "e2", "after_id": "e3"}),
        json!({"op": "insert_element", &id: "p1", "element": element("new", "b")}),
        json!({"op": format!("delete_{word}"), &id: "p0"}),
        json!({"op": format!("move_{word}"), &id: "p2", "after_id": null}),
    ];
    let base: C = base::<C, K>(canvas);
    let (result, preview) = carry_out(&base, &plan).expect("possible");
    assert_eq!(
        places(&preview),
        [
            json!(["move", {&id: "p1", "element_id": "e2", "after_id": "e3"}]),
            json!(["insert", {&id: "p1", "element_id": "new", "after_id": "e2"}]),
            json!(["delete", {&id: "p0"}]),
            json!(["move", {&id: "p2", "after_id": null}]),
        ]
    );
    let keys = base.differences(&result);
    assert!(["p0", "p1!new"].iter().all(|key| keys.contains(*key)), "{keys:?}");
    // Of two elements that change places, one has moved.
    assert_eq!(keys.len(), 4, "{keys:?}");
}

/// Without an id in what is sent, the part keeps its own. A new page or slide is shown after the last one.
pub fn a_replacement_keeps_its_id<C: Content, K: Canvas>(canvas: &Value) {
    let (word, id) = (K::WORD, format!("{}_id", K::WORD));
    let base: C = base::<C, K>(canvas);
    let new = with::<K>(canvas, &[("new", json!([]))])[K::LIST][0].clone();
    let plan = [
        json!({"op": "replace_element", &id: "p1", "element_id": "e2", "element": without("id", &element("", "other"))}),
        json!({"op": format!("insert_{word}"), word: new}),
    ];
    let (result, preview) = carry_out(&base, &plan).expect("possible");
    let replaced = json!(["replace", {&id: "p1", "element_id": "e2"}]);
    assert_eq!(places(&preview), [replaced.clone(), json!(["insert", {&id: "new", "after_id": "p2"}])]);
    assert!(base.differences(&result).contains("p1!e2"));
    // Two versions are compared part by part, too.
    let mut preview = Preview::new(HashSet::new());
    base.compare(&result, &mut preview).expect("comparable");
    assert!(places(&preview).contains(&replaced));
}

/// The kind and the place of each change.
fn places(preview: &Preview) -> Vec<Value> {
    preview.changes.iter().map(|change| json!([change.kind, change.place])).collect()
}

fn base<C: Content, K: Canvas>(canvas: &Value) -> C {
    content(&json!({K::LIST: canvas_plans::base(canvas)}))
}

fn without(member: &str, object: &Value) -> Value {
    let mut object = object.clone();
    object.as_object_mut().expect("an object").remove(member);
    object
}
