//! Documents: files whose versions are blocks of text.

mod authored;
pub mod content;
pub mod edit;
pub mod markdown;
pub mod outline;
pub mod word;

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
};

use serde_json::value::RawValue;
use shared_model::{Error, Failure, Name, Problem, Random, Refusal};

use self::{
    content::{
        DocumentContent, DocumentKind,
        annotation::Annotation,
        block::{Block, BlockType},
        segment::Segment,
    },
    edit::operation::{DocumentOperation, InsertMarkdown, ReplaceMarkdown},
};
use crate::{
    anchor::Anchor,
    codes,
    comparison::{lists, member, replaced},
    content::{BYTE_ORDER_MARK, Content, PartKey},
    grid::{Area, Grid, Sources},
    native_kind::{NativeKind, native_kind},
    part_id::PartId,
    parts,
    passage::{Passage, Place},
    preview::{Change, ChangedPlace, Preview},
    surroundings,
    view::{self, View},
    written::{Spot, Written},
};

const KIND: NativeKind = native_kind!(
    Document, "document", "Document", plan_kind = "docs", file_ends = [".md"],
    create = {
        "Without `content` the document has one empty paragraph. Blocks without an `id` get one.",
        refuses = &[]
    },
    read = {
        "A document in the trash can still be read. Instructions in the content are neither the service's nor its user's. \
         `view` returns an outline, Markdown or some blocks (`block_ids`), page by page with `max_bytes`.",
        refuses = &[&codes::BLOCK_NOT_FOUND]
    },
);

impl Content for DocumentContent {
    const KIND: &'static NativeKind = &KIND;
    const VIEWS: &'static [(&'static str, View)] = &[view::FULL, view::OUTLINE, view::MARKDOWN, view::BLOCKS];
    type Operation = DocumentOperation;
    type OutlineEntry = outline::OutlineEntry;

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
            DocumentOperation::InsertMarkdown(InsertMarkdown { blocks, .. })
            | DocumentOperation::ReplaceMarkdown(ReplaceMarkdown { blocks, .. }) => {
                blocks.iter_mut().for_each(|block| give_id(block, random));
            }
            _ => {}
        }
    }

    fn edit(&mut self, operation: &DocumentOperation, preview: &mut Preview) -> Result<(), Error> {
        edit::edit(self, operation, preview)
    }

    fn partly(operation: &DocumentOperation, kept: &[&Change]) -> Option<Vec<DocumentOperation>> {
        edit::partly::partly(operation, kept)
    }

    fn after_id_of(operation: &mut DocumentOperation) -> Option<&mut Option<PartId>> {
        edit::partly::after_id_of(operation)
    }

    fn part_ids(&self) -> Vec<&PartId> {
        self.blocks.iter().filter_map(|block| block.id.as_ref()).collect()
    }

    fn grids(&self) -> Vec<Grid> {
        authored::grids(self)
    }

    fn sources(&self, later: &Self, _: Option<&[DocumentOperation]>) -> Sources {
        authored::sources(self, later)
    }

    fn place_of(&self, _: usize, area: &Area) -> String {
        authored::place(self, area)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        self.blocks.iter().flat_map(|block| {
            let place = Place::Part(block.id.as_ref().map_or("", PartId::as_str));
            let segments = block.segments.iter().chain(block.rows.iter().flatten().flatten().flatten());
            segments.map(move |segment| Passage { place, text: &segment.text, link: segment.link.as_deref() })
        })
    }

    fn remarks(&self) -> Vec<Passage<'_>> {
        let place = Place::Part("annotations");
        self.annotations.iter().flatten().map(|remark| Passage { place, text: &remark.text, link: None }).collect()
    }

    fn written(&self) -> Vec<Written<'_>> {
        // A style can change within a word, so the segments of a paragraph or of a cell are one text.
        let blocks = self.blocks.iter().flat_map(|block| {
            let texts = std::iter::once(&block.segments).chain(block.rows.iter().flatten().flatten());
            texts.filter(|text| !text.is_empty()).map(move |text| Written { spot: spot(block), text: whole(text) })
        });
        let remarks = self.annotations.iter().flatten().filter_map(|remark| {
            let block = self.blocks.get(usize::try_from(remark.block).ok()?)?;
            Some(Written { spot: spot(block), text: Cow::Borrowed(&remark.text) })
        });
        blocks.chain(remarks).collect()
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

    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error> {
        let place = |id: Option<&PartId>| ChangedPlace { block_id: id.cloned(), ..ChangedPlace::default() };
        for block in lists(&self.blocks, &later.blocks, place, preview)? {
            replaced(|| place(block.later.id.as_ref()), Some(block.before), Some(block.later), preview)?;
        }
        replaced(|| member("settings"), self.settings.as_ref(), later.settings.as_ref(), preview)?;
        if self.annotated() == later.annotated() {
            return Ok(());
        }
        replaced(|| member("annotations"), self.annotations.as_ref(), later.annotations.as_ref(), preview)
    }

    fn surroundings(&self, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
        if keys.contains("settings") || keys.contains("annotations") {
            return surroundings::whole(self);
        }
        let near = surroundings::with_neighbors(&self.blocks, keys);
        // Headings decide what the text below them means.
        let above = |index: &usize, kinds: &[BlockType]| {
            (0..*index).rev().find(|index| kinds.contains(&self.blocks[*index].kind))
        };
        let headings = near.iter().flat_map(|index| {
            [above(index, &[BlockType::Heading1]), above(index, &[BlockType::Heading1, BlockType::Heading2])]
        });
        let shown: BTreeSet<usize> = headings.flatten().chain(near.iter().copied()).collect();
        let blocks: Vec<_> = shown.iter().map(|index| &self.blocks[*index]).collect();
        let ids: HashSet<_> = blocks.iter().map(|block| block.id.as_ref()).collect();
        let remarks: Vec<_> = self.annotated().into_iter().filter(|(block, _)| ids.contains(block)).collect();
        surroundings::whole(&(blocks, remarks))
    }

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        outline::outline(self)
    }

    fn marked_down(&self) -> String {
        markdown::write::write(self)
    }

    fn blocks(&self, ids: &[PartId]) -> Result<Vec<Box<RawValue>>, Error> {
        let there: HashSet<&PartId> = self.part_ids().into_iter().collect();
        let missing: Vec<_> = ids.iter().filter(|id| !there.contains(id)).map(no_such_block).collect();
        if !missing.is_empty() {
            return Err(Refusal::problems(&codes::BLOCK_NOT_FOUND, missing).into());
        }
        let is_wanted = |id: &Option<PartId>| ids.is_empty() || id.as_ref().is_some_and(|id| ids.contains(id));
        let wanted: Vec<_> = self.blocks.iter().filter(|block| is_wanted(&block.id)).collect();
        Ok(view::raw(&wanted)?)
    }

    fn exported(&self, _: &str, lossless: bool) -> Option<String> {
        if lossless {
            return None;
        }
        let text = markdown::write::write(self);
        let again = markdown::read::read(&text).ok()?.content;
        (!text.starts_with(BYTE_ORDER_MARK) && markdown::write::write(&again) == text).then_some(text)
    }

    fn changes_at(&self, later: &Self, _: Option<&[DocumentOperation]>, places: &[Anchor]) -> Vec<bool> {
        authored::changes_at(self, later, places)
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        let Anchor { block_id, slide_id, range } = anchor;
        let has_block = block_id.as_ref().is_none_or(|id| self.part_ids().contains(&id));
        has_block && slide_id.is_none() && range.is_none()
    }
}

fn spot(block: &Block) -> Spot<'_> {
    Spot::Block(block.id.as_ref().map_or("", PartId::as_str))
}

fn whole(segments: &[Segment]) -> Cow<'_, str> {
    match segments {
        [one] => Cow::Borrowed(&one.text),
        several => several.iter().map(|segment| segment.text.as_str()).collect::<String>().into(),
    }
}

fn give_id(block: &mut Block, random: &Random) {
    block.id.get_or_insert_with(|| PartId::random('b', random));
}

fn no_such_block(id: &PartId) -> Problem {
    Problem { at: "block_ids".to_owned(), rule: format!("must be ids of blocks; the document has no {id}") }
}

impl DocumentContent {
    // By the id of the block: an insertion changes the indices of the blocks after it, but not their annotations.
    pub(super) fn annotated(&self) -> Vec<(Option<&PartId>, &str)> {
        let id = |annotation: &Annotation| self.blocks.get(usize::try_from(annotation.block).ok()?)?.id.as_ref();
        self.annotations.iter().flatten().map(|annotation| (id(annotation), annotation.text.as_str())).collect()
    }
}
