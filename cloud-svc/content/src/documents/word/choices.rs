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
    let text = Text::new(&found);
    let steps = follow(&slots, &text)?;
    let mut choices = Choices::new();
    let mut at = found.len();
    for (slot, step) in slots.iter().zip(&steps).rev() {
        let (from, choice) = step.way_to(at, &text.numbers);
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

/// The paragraphs that were found.
// Equal ones have the same number: the texts of a slot are looked for at up to thousands of places.
struct Text<'f> {
    found: &'f [Paragraph],
    number: HashMap<&'f Paragraph, usize>,
    numbers: Vec<usize>,
}

impl<'f> Text<'f> {
    fn new(found: &'f [Paragraph]) -> Self {
        let number: HashMap<_, _> = found.iter().enumerate().map(|(number, paragraph)| (paragraph, number)).collect();
        Self { found, numbers: found.iter().map(|paragraph| number[paragraph]).collect(), number }
    }
}

/// The paragraphs that a choice leaves of a slot, by their numbers.
struct Way {
    choice: Choice,
    numbers: Vec<usize>,
}

/// What may be left of a slot, and the places in the text where it can begin.
struct Step {
    ways: Vec<Way>,
    starts: Vec<usize>,
}

impl Step {
    /// Where a slot that ends here begins, and the choice that leads from there.
    fn way_to(&self, end: usize, numbers: &[usize]) -> (usize, Choice) {
        let fitting = self.ways.iter().filter_map(|way| {
            let start = end.checked_sub(way.numbers.len())?;
            let fits = self.starts.binary_search(&start).is_ok() && numbers[start..end] == way.numbers;
            fits.then_some((start, way.choice))
        });
        // Of several ways the one that begins first, so that the answer does not depend on chance.
        fitting.min_by_key(|(start, _)| *start).expect("a slot ends where the next one begins")
    }
}

fn follow(slots: &[Slot<'_>], text: &Text<'_>) -> Result<Vec<Step>, Unexpected> {
    let mut steps = Vec::with_capacity(slots.len());
    let mut starts = vec![0];
    let stuck = |starts: &[usize], block: Option<&PartId>| {
        let at = starts.iter().copied().max().unwrap_or(0);
        let found = text.found.get(at).map(|paragraph| paragraph.after.clone());
        Unexpected { paragraph: at + 1, text: found, block: block.cloned() }
    };
    let mut last_changed = None;
    for slot in slots {
        if slot.is_changed() {
            last_changed = slot.id();
        }
        // Once for all starts: to compare the rows of a table takes long.
        let ways = ways(slot, &text.number);
        let mut ends: Vec<usize> = Vec::new();
        for Way { numbers, .. } in &ways {
            let fitting = starts.iter().filter(|start| text.numbers[**start..].starts_with(numbers));
            ends.extend(fitting.map(|start| start + numbers.len()));
        }
        if ends.is_empty() {
            return Err(stuck(&starts, last_changed));
        }
        ends.sort_unstable();
        ends.dedup();
        steps.push(Step { ways, starts: std::mem::replace(&mut starts, ends) });
    }
    if starts.contains(&text.found.len()) { Ok(steps) } else { Err(stuck(&starts, last_changed)) }
}

/// What the choices leave of the slot. A reading with a paragraph that was not found is impossible and is left out.
fn ways(slot: &Slot<'_>, number: &HashMap<&Paragraph, usize>) -> Vec<Way> {
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
    let numbered = |(choice, texts): (Choice, Vec<Paragraph>)| {
        let numbers = texts.iter().map(|text| number.get(text).copied()).collect::<Option<Vec<usize>>>()?;
        Some(Way { choice, numbers })
    };
    ways.into_iter().filter_map(numbered).collect()
}
