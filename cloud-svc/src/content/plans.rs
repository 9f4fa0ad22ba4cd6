//! For tests: plans of JSON operations, carried out one after the other.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::Value;
use shared_model::{Error, json_reader};

use super::{Content, operation::Operations as _, preview::Preview};

/// Content of JSON that keeps all rules.
pub fn content<C: Content>(value: &Value) -> C {
    json_reader::read(value).expect("content that keeps the rules")
}

/// What `operations` make of `base`, and the preview; or why one of them is refused.
pub fn carry_out<C: Content>(base: &C, operations: &[Value]) -> Result<(C, Preview), Error> {
    let (mut content, mut preview) = (base.clone(), Preview::new(HashSet::new()));
    for (index, operation) in operations.iter().enumerate() {
        preview.begin(index);
        let operation = json_reader::read(operation).expect("an operation that keeps the rules");
        content.edit(&operation, &mut preview)?;
    }
    Ok((content, preview))
}

/// Those of `operations` that a model does not refuse, in their order. Content and model must agree after each of them,
/// and on which to refuse. `step` is the model: it changes the content as JSON, or says `None`.
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
    // The same plan on the same content comes to the same.
    let (again, _) = carry_out(base, &possible).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
    prop_assert_eq!(text(&again), text(&content));
    Ok((possible, content))
}

/// The text that is stored.
pub fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

/// The examples of content and of operations, as OpenAPI shows them, keep the rules.
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
