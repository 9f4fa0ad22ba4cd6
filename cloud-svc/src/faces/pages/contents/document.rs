//! Documents: blocks with their comments.

use maud::{Markup, html};

use super::{
    headings::{self, Heading},
    shown::Shown,
};
use crate::faces::pages::{paging::Cut, phrases::outward};
use cloud_content::documents::content::{
    DocumentContent,
    block::{Block, BlockType, Cell},
    segment::Segment,
};

// About the bytes of HTML around a segment.
const AROUND_SEGMENT: usize = 48;

pub fn render(content: &DocumentContent, shown: &Shown<'_>) -> Markup {
    let cut = Cut::of(content.blocks.iter().map(cost));
    let (range, part) = cut.asked(shown.page);
    let mut headings = Headings::below(2);
    html! {
        (headings::table(&table_of_contents(content, &cut), part.number, shown))
        div.content.document {
            @for (place, blocks) in groups(&content.blocks[range.clone()], range.start) {
                (group(blocks, numbered_before(&content.blocks[..place]), &mut headings, &|index| {
                    beside(content, place + index, shown)
                }))
            }
        }
        (shown.links(part))
    }
}

fn table_of_contents(content: &DocumentContent, cut: &Cut) -> Vec<Heading> {
    let heading = |(index, block): (usize, &Block)| {
        let is_below = match block.kind {
            BlockType::Heading1 => false,
            BlockType::Heading2 => true,
            _ => return None,
        };
        let text = block.segments.iter().map(|segment| segment.text.as_str()).collect();
        Some(Heading { text, anchor: anchor(block)?, is_below, page: cut.page_of(index) })
    };
    content.blocks.iter().enumerate().filter_map(heading).collect()
}

fn anchor(block: &Block) -> Option<String> {
    block.id.as_ref().map(|id| format!("b-{}", id.as_str()))
}

/// A block in a plan.
pub fn alone(block: &Block) -> Markup {
    // Without its id, because a page may show the block twice, before and after a change.
    let block = Block { id: None, ..block.clone() };
    // Below the headings of the plan's page, whose changes have headings of level 3.
    group(std::slice::from_ref(&block), 0, &mut Headings::below(4), &|_| Markup::default())
}

fn cost(block: &Block) -> usize {
    let of = |segments: &[Segment]| -> usize {
        segments
            .iter()
            .map(|segment| segment.text.len() + segment.link.as_ref().map_or(0, String::len) + AROUND_SEGMENT)
            .sum()
    };
    let cells = block.rows.iter().flatten().flatten().map(|cell| of(cell) + AROUND_SEGMENT);
    of(&block.segments) + AROUND_SEGMENT + cells.sum::<usize>()
}

// Screen readers navigate by levels, so none is skipped below the heading above the content.
struct Headings {
    above: u8,
    has_first: bool,
}

impl Headings {
    fn below(above: u8) -> Self {
        Self { above, has_first: false }
    }

    fn level(&mut self, kind: BlockType) -> u8 {
        let is_first = kind == BlockType::Heading1;
        self.has_first |= is_first;
        self.above + if is_first || !self.has_first { 1 } else { 2 }
    }
}

/// Runs of items of one list, and all other blocks alone, each with the index of its first block in the document.
fn groups(blocks: &[Block], first: usize) -> impl Iterator<Item = (usize, &[Block])> {
    let is_item = |block: &Block| matches!(block.kind, BlockType::Bullet | BlockType::Number);
    let runs = blocks.chunk_by(move |one, next| one.kind == next.kind && is_item(one));
    runs.scan(first, |place, run| {
        let start = *place;
        *place += run.len();
        Some((start, run))
    })
}

// A numbered list may continue from the page before.
fn numbered_before(blocks: &[Block]) -> usize {
    blocks.iter().rev().take_while(|block| block.kind == BlockType::Number).count()
}

/// The remarks and comments on the block at this index.
fn beside(content: &DocumentContent, index: usize, shown: &Shown<'_>) -> Markup {
    let is_here = |at: i64| usize::try_from(at).is_ok_and(|at| at == index);
    let remarks: Vec<_> = content.annotations.iter().flatten().filter(|remark| is_here(remark.block)).collect();
    html! {
        @if !remarks.is_empty() {
            div.remarks role="group" aria-label=(text!("Annotations")) {
                @for remark in remarks { p dir="auto" { span.label { (text!("Annotation:")) " " } (remark.text) } }
            }
        }
        @if let Some(id) = &content.blocks[index].id { (shown.discussion.beside(id.as_str())) }
    }
}

fn group(blocks: &[Block], before: usize, headings: &mut Headings, beside: &dyn Fn(usize) -> Markup) -> Markup {
    let Some(block) = blocks.first() else { return Markup::default() };
    let items = || {
        html! {
            @for (index, block) in blocks.iter().enumerate() {
                li id=[anchor(block)] dir="auto" { (text(&block.segments)) (beside(index)) }
            }
        }
    };
    let id = anchor(block);
    let inside = text(&block.segments);
    let whole = match block.kind {
        BlockType::Bullet => return html! { ul { (items()) } },
        BlockType::Number => return html! { ol start=[(before > 0).then_some(before + 1)] { (items()) } },
        BlockType::Paragraph => html! { p id=[id] dir="auto" { (inside) } },
        BlockType::Heading1 | BlockType::Heading2 => match headings.level(block.kind) {
            3 => html! { h3 id=[id] dir="auto" { (inside) } },
            4 => html! { h4 id=[id] dir="auto" { (inside) } },
            5 => html! { h5 id=[id] dir="auto" { (inside) } },
            _ => html! { h6 id=[id] dir="auto" { (inside) } },
        },
        BlockType::Quote => html! { blockquote id=[id] dir="auto" { p { (inside) } } },
        BlockType::Divider => html! { hr id=[id]; },
        BlockType::Table => html! { div id=[id] { (table(block.rows.as_deref().unwrap_or_default())) } },
    };
    html! { (whole) (beside(0)) }
}

fn table(rows: &[Vec<Cell>]) -> Markup {
    shared_runtime::pages::scrollable(
        text!("Table"),
        html! {
            table {
                tbody { @for row in rows { tr { @for cell in row { td dir="auto" { (text(cell)) } } } } }
            }
        },
    )
}

// Neighbors with one target are one link: a style may change within its text.
fn text(segments: &[Segment]) -> Markup {
    let runs = segments.chunk_by(|one, next| one.link == next.link);
    html! {
        @for run in runs {
            @let inside = html! { @for segment in run { (styled(segment)) } };
            @match run.first().and_then(|segment| segment.link.as_deref()) {
                Some(target) => (outward(target, &inside)),
                None => (inside),
            }
        }
    }
}

fn styled(segment: &Segment) -> Markup {
    let is = |style: Option<bool>| style == Some(true);
    let mut text =
        html! { @for (index, line) in segment.text.split('\n').enumerate() { @if index > 0 { br; } (line) } };
    if is(segment.underline) {
        text = html! { u { (text) } };
    }
    if is(segment.italic) {
        text = html! { em { (text) } };
    }
    if is(segment.bold) {
        text = html! { strong { (text) } };
    }
    text
}
