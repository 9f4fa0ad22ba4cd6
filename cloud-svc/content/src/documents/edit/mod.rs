//! Edits of documents.

pub mod operation;
mod replace_text;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::Value;
use shared_model::{Error, Name, Random};

use self::operation::DocumentOperation;
use super::content::{
    DocumentContent, DocumentKind,
    annotation::Annotation,
    block::{Block, BlockType},
};
use crate::{
    anchor::Anchor,
    content::{Content, PartKey},
    file_type::FileType,
    part_id::PartId,
    parts,
    passage::{Passage, Place},
    preview::{ChangeKind, ChangedPlace, Preview, Severity, WarningCode},
};

impl Content for DocumentContent {
    const TYPE: FileType = FileType::Document;
    const KIND: &'static str = "docs";
    type Operation = DocumentOperation;

    fn smallest(_: &Name) -> Self {
        let paragraph = Block { id: None, kind: BlockType::Paragraph, segments: Vec::new(), rows: None };
        Self { kind: DocumentKind::Docs, blocks: vec![paragraph], settings: None, annotations: None }
    }

    fn give_ids(&mut self, random: &Random) {
        self.blocks.iter_mut().for_each(|block| give_id(block, random));
    }

    fn give_ids_in(operation: &mut DocumentOperation, random: &Random) {
        match operation {
            DocumentOperation::InsertBlock(insert) => give_id(&mut insert.block, random),
            DocumentOperation::InsertBlockBefore(insert) => give_id(&mut insert.block, random),
            _ => {}
        }
    }

    fn edit(&mut self, operation: &DocumentOperation, preview: &mut Preview) -> Result<(), Error> {
        match operation {
            DocumentOperation::InsertBlock(insert) => {
                let index = parts::index_after(&self.blocks, insert.after_id.as_ref(), preview)?;
                self.insert(index, &insert.block, preview)
            }
            DocumentOperation::InsertBlockBefore(insert) => {
                let index = self.find(&insert.before_id, "/before_id", preview)?;
                self.insert(index, &insert.block, preview)
            }
            DocumentOperation::ReplaceBlock(replace) => {
                let index = self.find(&replace.block_id, "/block_id", preview)?;
                let id = Some(replace.block_id.clone());
                if replace.block.id.is_some() && replace.block.id != id {
                    let rule = format!("must be absent or {}: a block keeps its id", replace.block_id);
                    return Err(preview.invalid("/block/id", rule));
                }
                self.replace(index, Block { id, ..replace.block.clone() }, preview)
            }
            DocumentOperation::DeleteBlock(delete) => {
                let index = self.find(&delete.block_id, "/block_id", preview)?;
                self.delete(index, preview)
            }
            DocumentOperation::MoveBlock(to) => {
                let from = self.find(&to.block_id, "/block_id", preview)?;
                self.move_block(from, to.after_id.as_ref(), preview)
            }
            DocumentOperation::ReplaceTextInBlock(replace) => {
                let index = self.find(&replace.block_id, "/block_id", preview)?;
                let block = replace_text::replaced(&self.blocks[index], replace, preview)?;
                self.replace(index, block, preview)
            }
            DocumentOperation::SetSettings(set) => {
                let settings = Some(set.settings);
                if self.settings != settings {
                    let place = ChangedPlace { member: Some("settings"), ..ChangedPlace::default() };
                    preview.change(ChangeKind::Replace, place, self.settings.as_ref(), settings.as_ref())?;
                    self.settings = settings;
                }
                Ok(())
            }
            DocumentOperation::SetAnnotations(set) => self.set_annotations(&set.annotations, preview),
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        self.blocks.iter().filter_map(|block| block.id.as_ref()).collect()
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        self.blocks.iter().flat_map(|block| {
            let place = Place::Part(block.id.as_ref().map_or("", PartId::as_str));
            let segments = block.segments.iter().chain(block.rows.iter().flatten().flatten().flatten());
            segments.map(move |segment| Passage { place, text: &segment.text, link: segment.link.as_deref() })
        })
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        let changed = parts::changed(&self.blocks, &later.blocks, Block::eq);
        let mut keys: BTreeSet<PartKey> = changed.into_iter().map(str::to_owned).collect();
        if self.settings != later.settings {
            keys.insert("settings".to_owned());
        }
        if self.annotated() != later.annotated() {
            keys.insert("annotations".to_owned());
        }
        keys
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        let Anchor { block_id, slide_id, range } = anchor;
        let has_block = block_id.as_ref().is_none_or(|id| self.part_ids().contains(&id));
        has_block && slide_id.is_none() && range.is_none()
    }
}

fn give_id(block: &mut Block, random: &Random) {
    block.id.get_or_insert_with(|| PartId::random('b', random));
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
                let rule = format!("must be the index of a block, of which there are {count}");
                return Err(preview.invalid(&format!("/annotations/{index}/block"), rule));
            }
        }
        if self.annotations.as_deref().unwrap_or_default() != annotations {
            let place = ChangedPlace { member: Some("annotations"), ..ChangedPlace::default() };
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

    // By the id of the block: an insertion changes the indices of the blocks behind it, but not their annotations.
    fn annotated(&self) -> Vec<(Option<&PartId>, &str)> {
        let id = |annotation: &Annotation| self.blocks.get(usize::try_from(annotation.block).ok()?)?.id.as_ref();
        self.annotations.iter().flatten().map(|annotation| (id(annotation), annotation.text.as_str())).collect()
    }
}
