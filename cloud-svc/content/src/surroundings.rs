//! What stands around the parts that an edit changes.

use std::collections::BTreeSet;

use serde::Serialize;
use shared_model::Failure;

use crate::parts::Part;

/// The whole content, for kinds of content and for keys without closer surroundings.
pub fn whole(content: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(content)?)
}

/// The places of the parts with these keys, each with the place before and after it.
pub fn with_neighbors<P: Part>(parts: &[P], keys: &BTreeSet<String>) -> BTreeSet<usize> {
    let is_named = |part: &P| part.id().is_some_and(|id| keys.contains(id.as_str()));
    let named = parts.iter().enumerate().filter(|(_, part)| is_named(part)).map(|(index, _)| index);
    named.flat_map(|index| index.saturating_sub(1)..=(index + 1).min(parts.len() - 1)).collect()
}
