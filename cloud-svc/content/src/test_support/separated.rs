//! Checks of parts of plans.

use std::{
    collections::{BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher as _},
};

use proptest::prelude::*;
use serde_json::Value;
use shared_model::json_reader;

use super::plans::text;
use crate::{
    content::Content,
    edited::edited,
    separation::{OperationLimits, Separated, separate},
};

/// Checks, for some choices of changes, that a part makes them alone and that the rest then makes the whole.
pub fn part_and_rest_are_the_whole<C: Content>(base: &C, operations: &[Value]) -> Result<(), TestCaseError> {
    let read = |operation| json_reader::read(operation).expect("an operation that keeps the rules");
    let operations: Vec<C::Operation> = operations.iter().map(read).collect();
    let gone = HashSet::new();
    let any = OperationLimits { part: usize::MAX, rest: usize::MAX };
    let (whole, shown) = edited(base, &operations, gone.clone()).map_err(failed)?;
    let own: Vec<usize> =
        shown.changes.iter().enumerate().filter(|(_, change)| change.is_own()).map(|(index, _)| index).collect();
    for salt in 0..3_u32 {
        let is_chosen = |index: &usize| {
            let mut hasher = DefaultHasher::new();
            (salt, index, text(&operations)).hash(&mut hasher);
            hasher.finish().is_multiple_of(2)
        };
        let chosen: BTreeSet<usize> = own.iter().copied().filter(is_chosen).collect();
        let chosen = match separate(base, &operations, &gone, &chosen, any).map_err(failed)? {
            Separated::Into(_) => chosen,
            Separated::Needs(needed) => {
                prop_assert!(!needed.is_empty());
                let needed: BTreeSet<usize> = needed.iter().map(|id| id.index()).collect();
                prop_assert!(needed.is_disjoint(&chosen));
                &chosen | &needed
            }
            Separated::TooMany { .. } => return Err(TestCaseError::fail("any number of operations is wanted")),
        };
        let Separated::Into(separation) = separate(base, &operations, &gone, &chosen, any).map_err(failed)? else {
            return Err(TestCaseError::fail("a choice with all that it needs can be made"));
        };
        let (_, part) = edited(base, &separation.part, gone.clone()).map_err(failed)?;
        prop_assert_eq!(part.changes.iter().filter(|change| change.is_own()).count(), chosen.len());
        let both = [separation.part, separation.rest].concat();
        let (made, _) = edited(base, &both, gone.clone()).map_err(failed)?;
        prop_assert_eq!(text(&made), text(&whole));
    }
    Ok(())
}

fn failed(error: shared_model::Error) -> TestCaseError {
    TestCaseError::fail(format!("{error:?}"))
}
