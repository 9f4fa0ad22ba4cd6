//! The parts of documents that have an author: blocks.

use std::collections::HashMap;

use super::content::DocumentContent;
use crate::{
    anchor::Anchor,
    grid::{Area, Grid, Sources},
    part_id::PartId,
};

pub fn grids(content: &DocumentContent) -> Vec<Grid> {
    vec![Grid::list(content.blocks.len())]
}

/// A block is the one with the same id. It is unchanged if all of it is the same.
pub fn sources(before: &DocumentContent, later: &DocumentContent) -> Sources {
    let places: HashMap<&PartId, usize> =
        before.blocks.iter().enumerate().filter_map(|(place, block)| Some((block.id.as_ref()?, place))).collect();
    let source = |place: usize| {
        let block = &later.blocks[place];
        let source = *places.get(block.id.as_ref()?)?;
        (before.blocks[source] == *block).then_some(source)
    };
    (0..later.blocks.len()).map(source).collect()
}

pub fn place(content: &DocumentContent, area: &Area) -> String {
    area.named(|index| content.blocks[index].id.as_ref().map_or_else(|| (index + 1).to_string(), PartId::to_string))
}

pub fn changes_at(before: &DocumentContent, later: &DocumentContent, places: &[Anchor]) -> Vec<bool> {
    // Readers see the remarks of a block below it.
    let block = |content: &DocumentContent, id: &PartId| {
        let block = content.blocks.iter().find(|block| block.id.as_ref() == Some(id))?.clone();
        let remarks = content.annotated().into_iter().filter(|(of, _)| *of == Some(id));
        Some((block, remarks.map(|(_, text)| text.to_owned()).collect::<Vec<_>>()))
    };
    let changes = |place: &Anchor| {
        let old = place.block_id.as_ref().and_then(|id| Some((id, block(before, id)?)));
        old.is_some_and(|(id, old)| block(later, id).as_ref() != Some(&old))
    };
    places.iter().map(changes).collect()
}
