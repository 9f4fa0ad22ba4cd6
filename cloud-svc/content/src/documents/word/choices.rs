//! What a person accepted and rejected, seen from the texts that are left.

use std::collections::{BTreeMap, HashMap};

use super::{
    paragraph::Paragraph,
    slots::{Slot, Versions, slots},
    texts::{Item, plain},
};
use crate::part_id::PartId;

/// What became of the changes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    Accepted,
    Rejected,
    /// The changes are still tracked, or the text does not show what became of them.
    Open,
}

/// The choice for each changed block.
pub type Choices = BTreeMap<PartId, Choice>;

/// A paragraph that neither version has, or the end of the text where more must come.
#[derive(Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// Its number, from 1, without those that are empty.
    pub paragraph: usize,
    pub text: Option<String>,
    /// The changed block at which the text stops to agree.
    pub block: Option<PartId>,
}

/// The choices that lead from the two versions to these paragraphs. Only texts are compared: programs keep no other
/// trace of a change that was accepted or rejected.
pub fn choices(versions: &Versions, paragraphs: &[Paragraph]) -> Result<Choices, Unexpected> {
    let slots = slots(versions);
    let found: Vec<Paragraph> = paragraphs
        .iter()
        .map(|paragraph| Paragraph { before: plain(&paragraph.before), after: plain(&paragraph.after) })
        .filter(|paragraph| !(paragraph.before.is_empty() && paragraph.after.is_empty()))
        .collect();
    let steps = follow(&slots, &found)?;
    let mut choices = Choices::new();
    let mut at = found.len();
    for (slot, reached) in slots.iter().zip(&steps).rev() {
        let (from, choice) = reached[&at];
        at = from;
        if let (true, Some(id)) = (slot.is_changed(), slot.id()) {
            // A block that moved is accepted only if it went there and came here.
            choices.entry(id.clone()).and_modify(|other| *other = both(*other, choice)).or_insert(choice);
        }
    }
    Ok(choices)
}

fn both(one: Choice, other: Choice) -> Choice {
    if one == other { one } else { Choice::Open }
}

/// For each slot the places in the text where it can end, and from where and by which choice.
type Reached = HashMap<usize, (usize, Choice)>;

fn follow(slots: &[Slot<'_>], found: &[Paragraph]) -> Result<Vec<Reached>, Unexpected> {
    let mut steps: Vec<Reached> = Vec::with_capacity(slots.len());
    let mut starts = vec![0];
    let stuck = |starts: &[usize], block: Option<&PartId>| {
        let at = starts.iter().copied().max().unwrap_or(0);
        let text = found.get(at).map(|paragraph| paragraph.after.clone());
        Unexpected { paragraph: at + 1, text, block: block.cloned() }
    };
    let mut last_changed = None;
    for slot in slots {
        if slot.is_changed() {
            last_changed = slot.id();
        }
        let mut reached = Reached::new();
        for start in &starts {
            for (choice, length) in fitting(slot, &found[*start..]) {
                reached.entry(start + length).or_insert((*start, choice));
            }
        }
        if reached.is_empty() {
            return Err(stuck(&starts, last_changed));
        }
        starts = reached.keys().copied().collect();
        // The first way that is found stays, so the order must not depend on chance.
        starts.sort_unstable();
        steps.push(reached);
    }
    if starts.contains(&found.len()) { Ok(steps) } else { Err(stuck(&starts, last_changed)) }
}

/// The choices that explain the next paragraphs, with the number of paragraphs that each takes.
fn fitting(slot: &Slot<'_>, found: &[Paragraph]) -> Vec<(Choice, usize)> {
    let items = slot.items();
    let side = |side: fn(&Item) -> Option<&str>| {
        let texts = items.iter().filter_map(move |item| side(item).filter(|text| !text.is_empty()));
        texts.map(|text| Paragraph { before: text.to_owned(), after: text.to_owned() }).collect::<Vec<_>>()
    };
    let (old, new) = (side(|item| item.before.as_deref()), side(|item| item.after.as_deref()));
    let tracked: Vec<Paragraph> = items
        .into_iter()
        .map(|item| Paragraph { before: item.before.unwrap_or_default(), after: item.after.unwrap_or_default() })
        .filter(|item| !(item.before.is_empty() && item.after.is_empty()))
        .collect();
    // What has no text of its own fits anywhere, and must not look like a choice.
    let ways = if old == new {
        vec![(Choice::Open, new)]
    } else {
        vec![(Choice::Open, tracked), (Choice::Accepted, new), (Choice::Rejected, old)]
    };
    let fits = ways.into_iter().filter(|(_, texts)| found.starts_with(texts));
    fits.map(|(choice, texts)| (choice, texts.len())).collect()
}
