//! The operations that make some of the changes.

use crate::{content::Content, preview::Change};

/// An operation, and the index of the first change that it makes.
pub struct Picked<O> {
    pub operation: O,
    pub first: Option<usize>,
}

/// `None` if an operation can only make all of its changes together.
pub fn operations<C: Content>(
    operations: &[C::Operation],
    changes: &[Change],
    is_chosen: impl Fn(usize) -> bool,
) -> Option<Vec<Picked<C::Operation>>> {
    let mut picked = Vec::new();
    let mut all = changes.iter().enumerate().peekable();
    for (index, operation) in operations.iter().enumerate() {
        // Changes are in the order of the operations.
        let mut of_operation = Vec::new();
        while let Some(change) = all.next_if(|(_, change)| change.op == index) {
            if change.1.is_own() {
                of_operation.push(change);
            }
        }
        let kept: Vec<(usize, &Change)> = of_operation.iter().filter(|(at, _)| is_chosen(*at)).copied().collect();
        let first = kept.first().map(|(index, _)| *index);
        let mut pick = |operation: C::Operation| picked.push(Picked { operation, first });
        match kept.len() {
            // Also an operation that changes nothing where it stands: elsewhere it could change something.
            0 => {}
            all if all == of_operation.len() => pick(operation.clone()),
            _ => {
                let kept: Vec<&Change> = kept.into_iter().map(|(_, change)| change).collect();
                C::partly(operation, &kept)?.into_iter().for_each(pick);
            }
        }
    }
    Some(picked)
}
