//! Edits of documents.

pub mod operation;
pub mod partly;
mod replace_text;

#[cfg(test)]
mod tests;

use serde_json::Value;
use shared_model::Error;

use self::operation::DocumentOperation;
use super::content::{DocumentContent, annotation::Annotation, block::Block};
use crate::{
    content::Content as _,
    part_id::PartId,
    parts,
    preview::{ChangeKind, ChangedPlace, Preview, Severity, WarningCode},
};

/// Carries out one operation.
pub fn edit(content: &mut DocumentContent, operation: &DocumentOperation, preview: &mut Preview) -> Result<(), Error> {
    match operation {
        DocumentOperation::InsertBlock(insert) => {
            let index = parts::index_after(&content.blocks, insert.after_id.as_ref(), preview)?;
            content.insert(index, &insert.block, preview)
        }
        DocumentOperation::InsertBlockBefore(insert) => {
            let index = content.find(&insert.before_id, "/before_id", preview)?;
            content.insert(index, &insert.block, preview)
        }
        DocumentOperation::InsertMarkdown(insert) => {
            let index = match &insert.before_id {
                Some(before) => content.find(before, "/before_id", preview)?,
                None => parts::index_after(&content.blocks, insert.after_id.as_ref(), preview)?,
            };
            content.insert_all(index, &insert.blocks, preview)
        }
        DocumentOperation::ReplaceMarkdown(replace) => {
            let index = content.find(&replace.block_id, "/block_id", preview)?;
            let Some((first, others)) = replace.blocks.split_first() else { return Ok(()) };
            content.replace(index, Block { id: Some(replace.block_id.clone()), ..first.clone() }, preview)?;
            content.insert_all(index + 1, others, preview)
        }
        DocumentOperation::ReplaceBlock(replace) => {
            let index = content.find(&replace.block_id, "/block_id", preview)?;
            let id = Some(replace.block_id.clone());
            if replace.block.id.is_some() && replace.block.id != id {
                let rule = format!("must be absent or {}: a block keeps its id", replace.block_id);
                return Err(preview.invalid("/block/id", rule));
            }
            content.replace(index, Block { id, ..replace.block.clone() }, preview)
        }
        DocumentOperation::DeleteBlock(delete) => {
            let index = content.find(&delete.block_id, "/block_id", preview)?;
            content.delete(index, preview)
        }
        DocumentOperation::MoveBlock(to) => {
            let from = content.find(&to.block_id, "/block_id", preview)?;
            content.move_block(from, to.after_id.as_ref(), preview)
        }
        DocumentOperation::ReplaceTextInBlock(replace) => {
            let index = content.find(&replace.block_id, "/block_id", preview)?;
            let block = replace_text::replaced(&content.blocks[index], replace, preview)?;
            content.replace(index, block, preview)
        }
        DocumentOperation::SetSettings(set) => {
            let settings = Some(set.settings);
            if content.settings != settings {
                let place = ChangedPlace { member: Some("settings".into()), ..ChangedPlace::default() };
                preview.change(ChangeKind::Replace, place, content.settings.as_ref(), settings.as_ref())?;
                content.settings = settings;
            }
            Ok(())
        }
        DocumentOperation::SetAnnotations(set) => content.set_annotations(&set.annotations, preview),
    }
}

fn place_of(block: &Block) -> ChangedPlace {
    ChangedPlace { block_id: block.id.clone(), ..ChangedPlace::default() }
}

impl DocumentContent {
    fn find(&self, id: &PartId, at: &str, preview: &Preview) -> Result<usize, Error> {
        parts::find(&self.blocks, id, at, preview)
    }

    fn insert(&mut self, index: usize, block: &Block, preview: &mut Preview) -> Result<(), Error> {
        if let Some(id) = &block.id {
            if self.part_ids().contains(&id) {
                return Err(preview.invalid("/block/id", "must be unique among the blocks"));
            }
            // A comment on a deleted block must not reappear at a new one.
            preview.check_unused("/block/id", id)?;
        }
        let place = ChangedPlace { after_id: Some(parts::id_before(&self.blocks, index)), ..place_of(block) };
        preview.change(ChangeKind::Insert, place, None::<&Value>, Some(block))?;
        self.blocks.insert(index, block.clone());
        // Annotations name blocks by their index.
        self.move_annotations(|block| Some(if block >= index { block + 1 } else { block }));
        Ok(())
    }

    fn insert_all(&mut self, index: usize, blocks: &[Block], preview: &mut Preview) -> Result<(), Error> {
        blocks.iter().zip(index..).try_for_each(|(block, index)| self.insert(index, block, preview))
    }

    fn replace(&mut self, index: usize, block: Block, preview: &mut Preview) -> Result<(), Error> {
        if self.blocks[index] != block {
            preview.change(ChangeKind::Replace, place_of(&block), Some(&self.blocks[index]), Some(&block))?;
            self.blocks[index] = block;
        }
        Ok(())
    }

    fn delete(&mut self, index: usize, preview: &mut Preview) -> Result<(), Error> {
        let block = self.blocks.remove(index);
        preview.change(ChangeKind::Delete, place_of(&block), Some(&block), None::<&Value>)?;
        // For the operations that follow in the plan. `gone` holds the ids of earlier versions only.
        if let Some(id) = &block.id {
            preview.part_is_gone(id);
        }
        let detached = self.move_annotations(|block| match block.cmp(&index) {
            std::cmp::Ordering::Less => Some(block),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(block - 1),
        });
        for annotation in detached {
            let place = block.id.as_ref().map_or("", PartId::as_str);
            preview.warn(WarningCode::AnnotationDetached, Severity::Medium, place, annotation.text);
        }
        Ok(())
    }

    fn move_block(&mut self, from: usize, after: Option<&PartId>, preview: &mut Preview) -> Result<(), Error> {
        let to = parts::index_of_move(&self.blocks, from, after, preview)?;
        if to == from {
            return Ok(());
        }
        let block = self.blocks.remove(from);
        let place = ChangedPlace { after_id: Some(parts::id_before(&self.blocks, to)), ..place_of(&block) };
        preview.change(ChangeKind::Move, place, Some(&block), Some(&block))?;
        self.blocks.insert(to, block);
        self.move_annotations(|block| {
            // First the index without the moved block, then the index with the block at its new place.
            let without = if block > from { block - 1 } else { block };
            Some(if block == from {
                to
            } else if without >= to {
                without + 1
            } else {
                without
            })
        });
        Ok(())
    }

    fn set_annotations(&mut self, annotations: &[Annotation], preview: &mut Preview) -> Result<(), Error> {
        let count = self.blocks.len();
        for (index, annotation) in annotations.iter().enumerate() {
            // Against the blocks that this plan has left, which the rules of the operation cannot know.
            if usize::try_from(annotation.block).is_ok_and(|block| block >= count) {
                let rule = format!("must be the index of one of the {count} blocks");
                return Err(preview.invalid(&format!("/annotations/{index}/block"), rule));
            }
        }
        if self.annotations.as_deref().unwrap_or_default() != annotations {
            let place = ChangedPlace { member: Some("annotations".into()), ..ChangedPlace::default() };
            preview.change(ChangeKind::Replace, place, self.annotations.as_ref(), Some(annotations))?;
            self.annotations = Some(annotations.to_vec());
        }
        Ok(())
    }

    /// Moves annotations with their blocks. Removes and returns those whose block has no new index.
    fn move_annotations(&mut self, new_index: impl Fn(usize) -> Option<usize>) -> Vec<Annotation> {
        let Some(annotations) = &mut self.annotations else { return Vec::new() };
        let is_detached = |annotation: &mut Annotation| {
            let to = usize::try_from(annotation.block).ok().and_then(&new_index).and_then(|to| i64::try_from(to).ok());
            to.inspect(|to| annotation.block = *to).is_none()
        };
        annotations.extract_if(.., is_detached).collect()
    }
}
