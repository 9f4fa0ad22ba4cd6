//! What stands around the changes of an edit, and whether two edits show the same to a reviewer.

use std::collections::BTreeSet;

use serde::Serialize;
use shared_model::Failure;

use crate::{
    content::{Content, PartKey},
    parts::Part,
};

/// Content before and after an edit.
pub struct Edited<'a, C> {
    pub before: &'a C,
    pub after: &'a C,
}

/// Whether the same parts are changed and stand in the same surroundings.
// The previews of both edits may be equal and still mean different things: rows have moved under a cell, or the text
// before a block says the opposite.
pub fn shows_the_same<C: Content>(seen: &Edited<'_, C>, now: &Edited<'_, C>) -> Result<bool, Failure> {
    let keys = seen.before.differences(seen.after);
    Ok(keys == now.before.differences(now.after)
        && seen.before.surroundings(&keys)? == now.before.surroundings(&keys)?
        && seen.after.surroundings(&keys)? == now.after.surroundings(&keys)?)
}

/// The whole content, for kinds of content and for keys without closer surroundings.
pub fn whole(content: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(content)?)
}

/// The places of the parts with these keys, each with the place before and after it.
pub fn with_neighbours<P: Part>(parts: &[P], keys: &BTreeSet<PartKey>) -> BTreeSet<usize> {
    let is_named = |part: &P| part.id().is_some_and(|id| keys.contains(id.as_str()));
    let named = parts.iter().enumerate().filter(|(_, part)| is_named(part)).map(|(index, _)| index);
    named.flat_map(|index| index.saturating_sub(1)..=(index + 1).min(parts.len() - 1)).collect()
}
