//! Two versions of a document as one list of blocks, in the order in which a reader meets them.

use std::{collections::HashSet, iter::Peekable, slice::Iter};

use super::texts::{Item, items};
use crate::{
    documents::content::{DocumentContent, block::Block},
    order,
    part_id::PartId,
};

/// A block of the old version, of the new one, or of both. A block that moves is two: it goes here and comes there.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    pub before: Option<&'a Block>,
    pub after: Option<&'a Block>,
}

impl Slot<'_> {
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }

    pub fn id(&self) -> Option<&PartId> {
        self.after.or(self.before)?.id.as_ref()
    }

    pub fn items(&self) -> Vec<Item> {
        items(self.before, self.after)
    }
}

/// The version that a plan is for, and the one that it would write.
#[derive(Debug)]
pub struct Versions {
    pub before: DocumentContent,
    pub after: DocumentContent,
    /// The blocks that the plan moves. When two neighbors change places, either may be the one that moved.
    pub moved: HashSet<PartId>,
}

pub fn slots(Versions { before, after, moved }: &Versions) -> Vec<Slot<'_>> {
    let ids = |content: &'_ DocumentContent| {
        let ids = content.blocks.iter().filter_map(|block| block.id.clone());
        ids.filter(|id| !moved.contains(id)).collect::<Vec<PartId>>()
    };
    let (old, new) = (ids(before), ids(after));
    let (old, new): (Vec<&PartId>, Vec<&PartId>) = (old.iter().collect(), new.iter().collect());
    let others: HashSet<&PartId> = order::moved(&old, &new).into_iter().collect();
    let kept: HashSet<&PartId> = new.into_iter().filter(|id| !others.contains(id)).collect();
    let stays = |block: &Block| block.id.as_ref().is_some_and(|id| kept.contains(id));
    let mut olds = before.blocks.iter().peekable();
    let mut slots = Vec::new();
    gone(&mut olds, &mut slots, stays);
    for block in &after.blocks {
        // Only blocks that stay are in the same order in both versions.
        let same = olds.next_if(|old| stays(block) && old.id == block.id);
        match same {
            None => slots.push(Slot { before: None, after: Some(block) }),
            Some(old) if old.kind == block.kind => slots.push(Slot { before: Some(old), after: Some(block) }),
            // Word cannot track that a paragraph becomes a table, and shows a heading as another paragraph.
            Some(old) => {
                slots.push(Slot { before: Some(old), after: None });
                slots.push(Slot { before: None, after: Some(block) });
            }
        }
        if same.is_some() {
            gone(&mut olds, &mut slots, stays);
        }
    }
    slots
}

/// The old blocks that go, up to the next one that stays.
fn gone<'a>(olds: &mut Peekable<Iter<'a, Block>>, slots: &mut Vec<Slot<'a>>, stays: impl Fn(&Block) -> bool) {
    while let Some(block) = olds.next_if(|block| !stays(block)) {
        slots.push(Slot { before: Some(block), after: None });
    }
}
