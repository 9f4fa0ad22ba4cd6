//! Whether two edits show the same to a reviewer.

use shared_model::Failure;

use crate::content::Content;

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
