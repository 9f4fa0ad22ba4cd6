//! Carries out all operations of a plan.

use std::collections::HashSet;

use shared_model::Error;

use crate::{content::Content, preview::Preview};

/// The content after all operations, each on the result of the one before. `gone` are the ids of parts that earlier
/// versions had.
pub fn edited<C: Content>(
    before: &C,
    operations: &[C::Operation],
    gone: HashSet<String>,
) -> Result<(C, Preview), Error> {
    let mut after = before.clone();
    let mut preview = Preview::new(gone);
    for (index, operation) in operations.iter().enumerate() {
        preview.begin(index);
        after.edit(operation, &mut preview)?;
    }
    Ok((after, preview))
}
