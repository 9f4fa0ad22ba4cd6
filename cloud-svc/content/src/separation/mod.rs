//! Divides the operations of a plan: a part that makes just the chosen changes, and the rest.

mod anchors;
mod pick;
mod same_changes;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use shared_model::Error;

use self::pick::Picked;
use crate::{
    change_id::ChangeId,
    content::Content,
    edited::edited,
    preview::{Change, Preview},
};

/// The operations of a plan in two lists. Carried out one after the other they make what the plan makes.
#[derive(Debug)]
pub struct Separation<O> {
    pub part: Vec<O>,
    pub rest: Vec<O>,
}

/// What a choice of changes leads to.
#[derive(Debug)]
pub enum Separated<O> {
    Into(Separation<O>),
    /// The choice needs these changes too.
    Needs(Vec<ChangeId>),
    /// The choice cuts the plan into more operations than the caller wants: these numbers.
    TooMany {
        part: usize,
        rest: usize,
    },
}

/// The most operations that a caller wants. A few operations on a thousand cells each can be cut into thousands.
#[derive(Clone, Copy, Debug)]
pub struct OperationLimits {
    pub part: usize,
    pub rest: usize,
}

/// A plan as it was previewed.
struct Whole<'a, C: Content> {
    base: &'a C,
    operations: &'a [C::Operation],
    gone: &'a HashSet<String>,
    most: OperationLimits,
    result: C,
    changes: Vec<Change>,
}

/// The operations of a part, and those of the rest.
type Cut<O> = (Vec<Picked<O>>, Vec<Picked<O>>);

/// The most operations to carry out for one refusal: fifty on a large workbook take seconds. A refusal that reaches this
/// number may name more changes than the choice needs.
const MOST_CARRIED_OUT: usize = 400;

/// Separates the changes at these indices. Formulas that only follow their cells go with their operation, so a choice
/// of them alone is empty. `gone` are the ids of parts that earlier versions had.
pub fn separate<C: Content>(
    base: &C,
    operations: &[C::Operation],
    gone: &HashSet<String>,
    chosen: &BTreeSet<usize>,
    most: OperationLimits,
) -> Result<Separated<C::Operation>, Error> {
    let (result, Preview { changes, .. }) = edited(base, operations, gone.clone())?;
    let whole = Whole { base, operations, gone, most, result, changes };
    if let Some((part, rest)) = whole.cut(chosen) {
        if !whole.are_within_limits(&part, &rest) {
            return Ok(Separated::TooMany { part: part.len(), rest: rest.len() });
        }
        if let Some(separation) = whole.separation(chosen, (part, rest))? {
            return Ok(Separated::Into(separation));
        }
    }
    let all = whole.with_operations(chosen, &whole.needed(chosen)?);
    Ok(Separated::Needs(all.difference(chosen).map(|index| ChangeId::of_index(*index)).collect()))
}

impl<C: Content> Whole<'_, C> {
    /// The choice with all changes of these operations.
    fn with_operations(&self, chosen: &BTreeSet<usize>, operations: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_of_them = |change: &Change| change.is_own() && operations.contains(&change.op);
        let indices = self.changes.iter().enumerate().filter(|(_, change)| is_of_them(change)).map(|(index, _)| index);
        indices.chain(chosen.iter().copied()).collect()
    }

    /// The operations without whose other changes the choice cannot be made.
    fn needed(&self, chosen: &BTreeSet<usize>) -> Result<BTreeSet<usize>, Error> {
        // All of them together suffice, since the choice is then the whole plan.
        let mut needed: BTreeSet<usize> = (0..self.operations.len()).collect();
        // Most can be left out, so they are tried by halves. The last come first: others may depend on the earlier ones.
        let mut left = halves(0..self.operations.len());
        let mut carried_out = self.operations.len();
        while let Some(half) = left.pop().filter(|_| carried_out <= MOST_CARRIED_OUT) {
            let without: BTreeSet<usize> = needed.iter().copied().filter(|index| !half.contains(index)).collect();
            let chosen = self.with_operations(chosen, &without);
            let cut = self.cut(&chosen).filter(|(part, rest)| self.are_within_limits(part, rest));
            // Also a try that carries out nothing takes time.
            let picked = cut.as_ref().map_or(0, |(part, rest)| part.len() + rest.len());
            carried_out += picked.max(self.operations.len());
            let is_enough = match cut {
                Some(cut) => self.separation(&chosen, cut)?.is_some(),
                None => false,
            };
            if is_enough {
                needed = without;
            } else {
                left.extend(halves(half));
            }
        }
        Ok(needed)
    }

    /// `None` if an operation can only make all of its changes together.
    fn cut(&self, chosen: &BTreeSet<usize>) -> Option<Cut<C::Operation>> {
        let part = pick::operations::<C>(self.operations, &self.changes, |index| chosen.contains(&index))?;
        let rest = pick::operations::<C>(self.operations, &self.changes, |index| !chosen.contains(&index))?;
        Some((part, rest))
    }

    fn are_within_limits(&self, part: &[Picked<C::Operation>], rest: &[Picked<C::Operation>]) -> bool {
        part.len() <= self.most.part && rest.len() <= self.most.rest
    }

    /// `None` if the choice cannot be made alone.
    fn separation(
        &self,
        chosen: &BTreeSet<usize>,
        (mut part, mut rest): Cut<C::Operation>,
    ) -> Result<Option<Separation<C::Operation>>, Error> {
        anchors::to_nearest_in::<C>(&mut part, &self.changes, chosen);
        if !self.is_right(&part, &rest, chosen)? {
            // Of two inserts after the same part, the later one comes first. Made last, the earlier one must name it.
            anchors::as_in_result::<C>(&mut rest, &self.changes, &self.result);
            if !self.is_right(&part, &rest, chosen)? {
                return Ok(None);
            }
        }
        let plain = |picked: Vec<Picked<_>>| picked.into_iter().map(|picked| picked.operation).collect();
        Ok(Some(Separation { part: plain(part), rest: plain(rest) }))
    }

    /// Whether the part shows just the chosen changes, and the rest then makes the whole.
    fn is_right(
        &self,
        part: &[Picked<C::Operation>],
        rest: &[Picked<C::Operation>],
        chosen: &BTreeSet<usize>,
    ) -> Result<bool, Error> {
        let both: Vec<C::Operation> = part.iter().chain(rest).map(|picked| picked.operation.clone()).collect();
        let (result, preview) = match edited(self.base, &both, self.gone.clone()) {
            Ok(made) => made,
            // A part that cannot stand alone is refused by the rules of its content.
            Err(Error::Refused(_)) => return Ok(false),
            Err(failed) => return Err(failed),
        };
        let shown = preview.changes.iter().filter(|change| change.op < part.len());
        let wanted = self.changes.iter().enumerate().filter(|(index, _)| chosen.contains(index));
        // The results are compared as wholes. Equal changes in other places would not be the same plan.
        Ok(result == self.result
            && same_changes::are_same(shown.filter(|change| change.is_own()), wanted.map(|(_, change)| change))?)
    }
}

fn halves(range: Range<usize>) -> Vec<Range<usize>> {
    let middle = range.start + range.len() / 2;
    if range.len() > 1 { vec![range.start..middle, middle..range.end] } else { Vec::new() }
}
