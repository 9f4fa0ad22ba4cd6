//! Whether two lists show the same changes.

use serde_json::Value;
use shared_model::Failure;

use crate::preview::Change;

/// Whether both show the same, in any order. A place after another part may differ: the caller compares the results.
pub fn are_same<'a>(
    one: impl Iterator<Item = &'a Change>,
    other: impl Iterator<Item = &'a Change>,
) -> Result<bool, Failure> {
    let mut one = one.map(shown).collect::<Result<Vec<_>, _>>()?;
    let mut other = other.map(shown).collect::<Result<Vec<_>, _>>()?;
    one.sort_unstable();
    other.sort_unstable();
    Ok(one == other)
}

fn shown(change: &Change) -> Result<String, Failure> {
    let mut shown = serde_json::to_value(change)?;
    if let Value::Object(members) = &mut shown {
        for name in ["id", "op", "after_id"] {
            members.remove(name);
        }
        // A cell that a sheet gets when it grows is the same as an empty one.
        if change.place.cell.is_some() {
            members.remove("kind");
            if members.get("before").is_some_and(Value::is_null) {
                members.insert("before".to_owned(), "".into());
            }
        }
    }
    Ok(shown.to_string())
}
