//! Plans of JSON operations.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;
use serde_json::Value;
use shared_model::{Error, json_reader};

use super::separated::part_and_rest_are_the_whole;
use crate::{
    comparison::compare,
    conflicts::conflicts,
    content::Content,
    operation::Operations as _,
    preview::Preview,
    same_proposal::{Edited, shows_the_same},
};

/// Reads valid content.
pub fn content<C: Content>(value: &Value) -> C {
    json_reader::read(value).expect("content that keeps the rules")
}

/// Carries out `operations` on `base`: the result and its preview, or the first refusal.
pub fn carry_out<C: Content>(base: &C, operations: &[Value]) -> Result<(C, Preview), Error> {
    let (mut content, mut preview) = (base.clone(), Preview::new(HashSet::new()));
    for (index, operation) in operations.iter().enumerate() {
        preview.begin(index);
        let operation = json_reader::read(operation).expect("an operation that keeps the rules");
        content.edit(&operation, &mut preview)?;
    }
    Ok((content, preview))
}

/// Checks that content and model agree after each operation, and on which to refuse. Returns the accepted operations.
/// `step` changes the model, or returns `None` to refuse.
pub fn agree<C: Content, M: Clone>(
    base: &C,
    model: M,
    operations: Vec<Value>,
    step: impl Fn(&mut M, &Value) -> Option<()>,
    check: impl Fn(&C, &M) -> Result<(), TestCaseError>,
) -> Result<(Vec<Value>, C), TestCaseError> {
    let (mut possible, mut model, mut content) = (Vec::new(), model, base.clone());
    for operation in operations {
        let mut next = model.clone();
        possible.push(operation);
        let made = carry_out(base, &possible);
        let operation = possible.last().expect("just pushed");
        match step(&mut next, operation) {
            None => {
                prop_assert!(made.is_err(), "should be refused: {operation}");
                possible.pop();
            }
            Some(()) => {
                let (made, _) = made.map_err(|error| TestCaseError::fail(format!("{operation}: {error:?}")))?;
                check(&made, &next)?;
                (content, model) = (made, next);
            }
        }
    }
    // The same plan on the same content has the same result.
    let (again, _) = carry_out(base, &possible).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    prop_assert_eq!(text(&again), text(&content));
    Ok((possible, content))
}

/// Checks that a plan that is repeated on the result of another loses no change of either, or is refused.
pub fn rebases<C: Content>(base: &C, ours: Vec<Value>, theirs: Vec<Value>) -> Result<(), TestCaseError> {
    let ours = possible(base, ours);
    let (Ok((ours_alone, _)), Ok((theirs_alone, _))) =
        (carry_out(base, &ours), carry_out(base, &possible(base, theirs)))
    else {
        return Err(TestCaseError::fail("possible operations are carried out"));
    };
    part_and_rest_are_the_whole(base, &ours)?;
    let edit = |content: &C| carry_out(content, &ours).map(|(result, _)| result);
    let read = |operation| json_reader::read(operation).expect("an operation that keeps the rules");
    let operations: Vec<C::Operation> = ours.iter().map(read).collect();
    let Ok(touched) = conflicts(base, &theirs_alone, &operations, edit) else { return Ok(()) };
    if !touched.is_empty() {
        return Ok(());
    }
    let Ok(both) = edit(&theirs_alone) else { return Err(TestCaseError::fail("what is not touched can be edited")) };
    let our_keys = base.differences(&ours_alone);
    for key in theirs_alone.differences(&both) {
        prop_assert!(our_keys.contains(&key), "{key}: only ours are repeated, {ours:?}");
    }
    let (before, merged) = (text_by_place(base), text_by_place(&both));
    for (side, alone) in [("ours", &ours_alone), ("theirs", &theirs_alone)] {
        let changed = text_by_place(alone);
        let places: BTreeSet<&String> = before.keys().chain(changed.keys()).collect();
        for place in places.into_iter().filter(|place| before.get(*place) != changed.get(*place)) {
            prop_assert_eq!(merged.get(place), changed.get(place), "{} at {}", side, place);
        }
    }
    compared(base, &both)?;
    compared(&both, base)?;
    approvals_cover_what_was_seen((base, &ours_alone), (&theirs_alone, &both))
}

/// Checks that a comparison has changes exactly where contents differ.
fn compared<C: Content>(before: &C, later: &C) -> Result<(), TestCaseError> {
    let changes = compare(before, later).map_err(|error| TestCaseError::fail(format!("{error:?}")))?.changes;
    prop_assert_eq!(changes.is_empty(), before.differences(later).is_empty(), "{:?}", changes);
    prop_assert!(compare(later, later).is_ok_and(|same| same.changes.is_empty()));
    let (old, new) = (text_by_place(before), text_by_place(later));
    let shown = text(&changes);
    for place in old.keys().chain(new.keys()).filter(|place| old.get(*place) != new.get(*place)) {
        // The last part of a place: `S!B2` is in the change as its sheet, or as its cell.
        let named = place.split('!').any(|part| shown.contains(&format!("\"{part}\"")));
        prop_assert!(named, "{place} is missing in {shown}");
    }
    Ok(())
}

/// Checks that edits which show the same change the same places, from the same text to the same text.
fn approvals_cover_what_was_seen<C: Content>(seen: (&C, &C), now: (&C, &C)) -> Result<(), TestCaseError> {
    let shows_the_same =
        shows_the_same(&Edited { before: seen.0, after: seen.1 }, &Edited { before: now.0, after: now.1 });
    if !shows_the_same.map_err(|error| TestCaseError::fail(format!("{error:?}")))? {
        return Ok(());
    }
    let [seen_before, seen_after, before, after] = [seen.0, seen.1, now.0, now.1].map(text_by_place);
    for place in before.keys().chain(after.keys()).filter(|place| before.get(*place) != after.get(*place)) {
        prop_assert_eq!(seen_before.get(place), before.get(place), "what stood at {}", place);
        prop_assert_eq!(seen_after.get(place), after.get(place), "what will stand at {}", place);
    }
    // Only their number: of two groups that change places, either can be said to have moved.
    prop_assert_eq!(seen.1.differences(seen.0).len(), now.1.differences(now.0).len());
    Ok(())
}

fn text_by_place<C: Content>(content: &C) -> BTreeMap<String, Vec<String>> {
    let mut texts = BTreeMap::<_, Vec<String>>::new();
    for passage in content.passages() {
        texts.entry(passage.place.to_string()).or_default().push(passage.text.to_owned());
    }
    texts
}

/// The operations that can be carried out one after the other.
pub fn possible<C: Content>(base: &C, operations: Vec<Value>) -> Vec<Value> {
    let mut possible = Vec::new();
    for operation in operations {
        possible.push(operation);
        if carry_out(base, &possible).is_err() {
            possible.pop();
        }
    }
    possible
}

/// The changes as JSON, without their ids, which are `c1`, `c2` and so on.
pub fn changes(preview: &Preview) -> Value {
    let mut changes = serde_json::to_value(&preview.changes).expect("JSON");
    for (index, change) in changes.as_array_mut().expect("an array").iter_mut().enumerate() {
        let id = change.as_object_mut().expect("an object").remove("id");
        assert_eq!(id, Some(Value::String(format!("c{}", index + 1))));
    }
    changes
}

/// The canonical text.
pub fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

/// Checks that a move says where to: null is the beginning, and absent is a mistake.
pub fn a_move_says_where_to<C: Content>(mut operation: Value) {
    assert!(json_reader::read::<C::Operation>(&operation).is_ok(), "{operation}");
    operation["after_id"] = Value::Null;
    assert!(json_reader::read::<C::Operation>(&operation).is_ok(), "{operation}");
    operation.as_object_mut().expect("an object").remove("after_id");
    let problems = json_reader::read::<C::Operation>(&operation).expect_err("it does not say where to");
    assert!(problems[0].rule.contains("after_id"), "{problems:?}");
}

/// Checks that the examples in OpenAPI are valid.
pub fn check_examples<C: Content>() {
    let mut components = vec![(C::name().into_owned(), C::schema())];
    C::Operation::add_components(&mut components);
    let names = C::Operation::names();
    let mut tried = 0;
    for (name, schema) in components {
        let schema = serde_json::to_value(schema).expect("JSON");
        let Some(example) = schema["examples"].get(0) else { continue };
        if name == C::name() {
            json_reader::read::<C>(example).expect("content that keeps the rules");
        } else if names.contains(&name) {
            json_reader::read::<C::Operation>(example).expect("an operation that keeps the rules");
        } else {
            continue;
        }
        tried += 1;
    }
    assert!(tried > 0, "no example of {}", C::name());
}
