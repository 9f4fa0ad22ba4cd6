//! Rules that concern all pages or slides of a file together.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;
use shared_model::JsonReader;

use super::Canvas;
use crate::{part_id::PartId, parts::Part};

/// The most bytes of the content as canonical JSON.
const CONTENT_BYTES: usize = 1_000_000;

/// The bytes that a random id adds to the JSON, with the name of the member.
const ID_BYTES: usize = r#""id":"","#.len() + PartId::RANDOM_BYTES;

/// Notes each id that another page, slide or element has.
pub fn check_ids<C: Canvas>(reader: &JsonReader<'_>) {
    // Reads the untyped value: there is no typed one when a member is wrong, and all problems are reported at once.
    let mut ids = HashSet::new();
    let mut check = |part: &Value, at: &str| {
        if part.get("id").and_then(Value::as_str).is_some_and(|id| !ids.insert(id.to_owned())) {
            reader.note(&format!("{at}/id"), format!("must be unique among the {} and their elements", C::LIST));
        }
    };
    for (index, canvas) in items(reader.value(), C::LIST).enumerate() {
        let at = format!("/{}/{index}", C::LIST);
        check(canvas, &at);
        for (index, element) in items(canvas, "elements").enumerate() {
            check(element, &format!("{at}/elements/{index}"));
        }
    }
}

fn items<'a>(value: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    value.get(list).and_then(Value::as_array).into_iter().flatten()
}

/// Notes that the content is too long.
pub fn check_bytes<C: Canvas>(reader: &JsonReader<'_>, content: &impl Serialize, canvases: &[C]) {
    // Missing ids are given after this check. Without counting them, accepted content could outgrow the bound.
    let without_id = |canvas: &C| {
        usize::from(canvas.id().is_none()) + canvas.elements().iter().filter(|element| element.id().is_none()).count()
    };
    match serde_json::to_string(content) {
        Ok(json) => {
            let bytes = json.len() + ID_BYTES * canvases.iter().map(without_id).sum::<usize>();
            if bytes > CONTENT_BYTES {
                reader.note("", format!("must be at most {CONTENT_BYTES} bytes as JSON, has {bytes}"));
            }
        }
        Err(error) => reader.note("", format!("must be JSON: {error}")),
    }
}
