//! What a new version leaves to the writers of the version before.

use super::runs::{Runs, Writer};
use crate::content::Content;

/// Who wrote the parts of `later`, which follows `before`. Unchanged parts keep their writer, also where they have moved.
/// Without `edits` the two contents are compared alone.
pub fn carried<C: Content>(before: &C, runs: &Runs, later: &C, edits: Option<&[C::Operation]>) -> Runs {
    let old = runs.writers();
    let writer = |source: Option<usize>| {
        let Some(source) = source else { return Writer::This };
        // Runs that do not fit the content are a fault of ours. It must not name a wrong author.
        old.get(source).copied().unwrap_or(Writer::Unknown)
    };
    let writers: Vec<Writer> = before.sources(later, edits).into_iter().map(writer).collect();
    Runs::new(&later.grids(), &writers)
}
