//! A model of plans for publications and presentations that works on JSON.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    canvas::Canvas,
    content::Content,
    test_support::plans::{agree, text},
};

/// Pages or slides as JSON, and the ids of deleted parts.
#[derive(Clone, Debug)]
pub struct Model {
    word: &'static str,
    canvases: Vec<Value>,
    gone: HashSet<String>,
}

fn index(list: &[Value], id: &Value) -> Option<usize> {
    list.iter().position(|part| part["id"] == *id)
}

fn elements(canvas: &Value) -> impl Iterator<Item = &Value> {
    canvas["elements"].as_array().into_iter().flatten()
}

/// Inserts, replaces, deletes or moves in a list. `None` refuses. The caller checks ids.
fn change(list: &mut Vec<Value>, verb: &str, id: &Value, part: &Value, after: &Value) -> Option<()> {
    match verb {
        "insert" => {
            let at = if after.is_null() { list.len() } else { index(list, after)? + 1 };
            list.insert(at, part.clone());
        }
        "replace" => {
            let at = index(list, id)?;
            list[at] = part.clone();
            list[at]["id"] = id.clone();
        }
        "delete" => {
            list.remove(index(list, id)?);
        }
        _ => {
            let from = index(list, id)?;
            if !after.is_null() && index(list, after)? == from {
                return None;
            }
            let part = list.remove(from);
            list.insert(index(list, after).map_or(0, |after| after + 1), part);
        }
    }
    Some(())
}

impl Model {
    fn ids(&self) -> Vec<String> {
        let ids = self.canvases.iter().flat_map(|canvas| [canvas].into_iter().chain(elements(canvas)));
        ids.map(|part| part["id"].as_str().expect("an id").to_owned()).collect()
    }

    fn step(&mut self, operation: &Value) -> Option<()> {
        let before = self.ids();
        let (verb, noun) = operation["op"].as_str()?.split_once('_')?;
        let canvas_id = &operation[format!("{}_id", self.word)];
        if noun == "element" {
            let canvas = index(&self.canvases, canvas_id)?;
            let mut list = elements(&self.canvases[canvas]).cloned().collect();
            change(&mut list, verb, &operation["element_id"], &operation["element"], &operation["after_id"])?;
            self.canvases[canvas]["elements"] = json!(list);
        } else {
            change(&mut self.canvases, verb, canvas_id, &operation[noun], &operation["after_id"])?;
        }
        let sent = &operation[noun]["id"];
        let kept = if noun == "element" { &operation["element_id"] } else { canvas_id };
        if verb == "replace" && !sent.is_null() && sent != kept {
            return None;
        }
        let after = self.ids();
        let is_unique = after.iter().collect::<HashSet<_>>().len() == after.len();
        let is_new = |id: &&String| !before.contains(id);
        if !is_unique || after.iter().filter(is_new).any(|id| self.gone.contains(id)) {
            return None;
        }
        self.gone.extend(before.into_iter().filter(|id| !after.contains(id)));
        Some(())
    }
}

/// An element with this id and text.
pub fn element(id: &str, text: &str) -> Value {
    json!({
        "id": id, "type": "text", "x": 0, "y": 1.5, "w": 50, "h": 20, "rotation": -0.1, "text": text, "fill": "#FFffff",
        "color": "#000000", "fontSize": 12, "align": "left", "weight": 400
    })
}

/// `canvas` as the first part, `p0` to `p2`, with elements `e0` to `e5`.
pub fn base(canvas: &Value) -> Vec<Value> {
    let with_elements = |number: usize| {
        let mut canvas = canvas.clone();
        canvas["id"] = json!(format!("p{number}"));
        canvas["elements"] = [2 * number, 2 * number + 1].map(|number| element(&format!("e{number}"), "a")).into();
        canvas
    };
    (0..3).map(with_elements).collect()
}

/// Operations on `word`s like `canvas`. There are few ids, so that some are refused.
pub fn operation(word: &'static str, canvas: Value) -> impl Strategy<Value = Value> {
    let canvas_id = || "p[0-5]";
    let element_id = || "e[0-9]";
    let parts = ("p[0-5]", "[ab]", proptest::collection::vec(("e[0-9]", "[ab]"), 0..3));
    let with_parts = move |(id, name, elements): (String, String, Vec<(String, String)>)| {
        let mut canvas = canvas.clone();
        let ids: HashSet<_> = elements.iter().map(|(id, _)| id.clone()).collect();
        (canvas["id"], canvas["name"]) = (json!(id), json!(name));
        canvas["elements"] = if ids.len() == elements.len() {
            elements.iter().map(|(id, text)| element(id, text)).collect()
        } else {
            json!([])
        };
        canvas
    };
    let canvas = parts.prop_map(with_parts).boxed();
    let operation = move |verb: &str, noun: &str, members: Vec<(String, Value)>| -> Value {
        members.into_iter().chain([("op".to_owned(), json!(format!("{verb}_{noun}")))]).collect()
    };
    let within = move |id: String| (format!("{word}_id"), json!(id));
    let member = |name: &str, value: Value| (name.to_owned(), value);
    prop_oneof![
        (canvas.clone(), proptest::option::of(canvas_id())).prop_map(move |(canvas, after)| {
            let after = after.map(|after| member("after_id", json!(after)));
            operation("insert", word, [member(word, canvas)].into_iter().chain(after).collect())
        }),
        (canvas.clone(), canvas_id())
            .prop_map(move |(canvas, id)| { operation("replace", word, vec![member(word, canvas), within(id)]) }),
        canvas.prop_map(move |canvas| {
            let id = canvas["id"].as_str().expect("an id").to_owned();
            operation("replace", word, vec![member(word, canvas), within(id)])
        }),
        canvas_id().prop_map(move |id| operation("delete", word, vec![within(id)])),
        (canvas_id(), proptest::option::of(canvas_id())).prop_map(move |(id, after)| {
            operation("move", word, vec![within(id), member("after_id", json!(after))])
        }),
        (canvas_id(), element_id(), "[ab]", proptest::option::of(element_id())).prop_map(
            move |(within_id, id, text, after)| {
                let after = after.map(|after| member("after_id", json!(after)));
                let members = [within(within_id), member("element", element(&id, &text))];
                operation("insert", "element", members.into_iter().chain(after).collect())
            }
        ),
        (canvas_id(), element_id(), proptest::option::of(element_id()), "[ab]").prop_map(
            move |(within_id, id, sent, text)| {
                let element = element(sent.as_deref().unwrap_or(&id), &text);
                operation(
                    "replace",
                    "element",
                    vec![within(within_id), member("element_id", json!(id)), member("element", element)],
                )
            }
        ),
        (canvas_id(), element_id()).prop_map(move |(within_id, id)| {
            operation("delete", "element", vec![within(within_id), member("element_id", json!(id))])
        }),
        (canvas_id(), element_id(), proptest::option::of(element_id())).prop_map(move |(within_id, id, after)| {
            operation(
                "move",
                "element",
                vec![within(within_id), member("element_id", json!(id)), member("after_id", json!(after))],
            )
        }),
    ]
}

/// Each part by its key in differences; a page or slide without its elements.
fn by_key(canvases: &[Value]) -> BTreeMap<String, String> {
    let key = |part: &Value| part["id"].as_str().expect("an id").to_owned();
    let mut keys = BTreeMap::new();
    for canvas in canvases {
        keys.extend(elements(canvas).map(|element| (format!("{}!{}", key(canvas), key(element)), text(element))));
        let mut frame = canvas.clone();
        frame["elements"] = json!(null);
        keys.insert(key(canvas), text(&frame));
    }
    keys
}

/// Content and model agree after each operation. Other parts stay as they are, and differences name the changed parts.
pub fn check<C: Content, K: Canvas>(base: &C, operations: Vec<Value>) -> Result<(), TestCaseError> {
    let list = |content: &C| -> Vec<Value> {
        serde_json::to_value(content).expect("JSON")[K::LIST].as_array().expect("a list").clone()
    };
    let model = Model { word: K::WORD, canvases: list(base), gone: HashSet::new() };
    let (plan, result) = agree(base, model, operations, Model::step, |content, model| {
        prop_assert_eq!(&list(content), &model.canvases);
        Ok(())
    })?;
    let (before, after) = (by_key(&list(base)), by_key(&list(&result)));
    let named: BTreeSet<&str> = plan.iter().flat_map(named::<K>).collect();
    for (key, part) in &before {
        let (canvas, element) =
            key.split_once('!').map_or((key.as_str(), None), |(canvas, element)| (canvas, Some(element)));
        if !named.contains(canvas) && element.is_none_or(|element| !named.contains(element)) {
            prop_assert_eq!(after.get(key), Some(part));
        }
    }
    let differences = base.differences(&result);
    // The key of a page or slide that only one side has covers its elements.
    let has_both = |key: &str| {
        key.split_once('!').is_none_or(|(canvas, _)| before.contains_key(canvas) && after.contains_key(canvas))
    };
    for key in before.keys().chain(after.keys()).filter(|key| has_both(key) && before.get(*key) != after.get(*key)) {
        prop_assert!(differences.contains(key), "{key} is not in {differences:?}");
    }
    let is_moved = |key: &str| {
        plan.iter().any(|operation| operation["op"].as_str().is_some_and(|op| op.starts_with("move_")))
            || before.contains_key(key)
                && plan.iter().any(|operation| operation["op"] == json!(format!("replace_{}", K::WORD)))
    };
    for key in differences.iter().filter(|key| before.get(*key) == after.get(*key)) {
        prop_assert!(is_moved(key), "{key} is the same");
    }
    prop_assert_eq!(differences.is_empty(), *base == result);
    Ok(())
}

/// The ids that an operation names or brings. An operation on an element does not name its page or slide.
fn named<K: Canvas>(operation: &Value) -> Vec<&str> {
    let is_element = operation["op"].as_str().is_some_and(|op| op.ends_with("_element"));
    let id = if is_element { operation.get("element_id") } else { operation.get(format!("{}_id", K::WORD)) };
    let brought = [operation.get("element"), operation.get(K::WORD)].into_iter().flatten();
    let brought = brought.flat_map(|part| [part].into_iter().chain(elements(part))).map(|part| &part["id"]);
    id.into_iter().chain(brought).filter_map(Value::as_str).collect()
}
