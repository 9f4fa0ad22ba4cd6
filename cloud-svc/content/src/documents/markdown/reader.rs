//! Turns the events of a Markdown parser into blocks.

use pulldown_cmark::{Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::inline::{self, Emphasis, InlineReader};
use crate::documents::content::block::{Block, BlockType, Cell};

/// The least that a row or a cell has as JSON.
const EMPTY_LIST: &str = "[]";

// Markdown nests without a bound, so the open containers are lists and no function recurses.
#[derive(Default)]
pub struct Reader {
    pub blocks: Vec<Block>,
    /// The type of the open block.
    current: Option<BlockType>,
    /// The text of the open block or cell.
    inline: InlineReader,
    /// The open code or HTML block.
    verbatim: Option<String>,
    /// The rows of the open table.
    rows: Option<Vec<Vec<Cell>>>,
    /// The item types of the open lists.
    lists: Vec<BlockType>,
    containers: Vec<Container>,
    /// The number of quotations among the containers, so that no block has to count them.
    quotes: usize,
}

/// An open list item or quotation.
enum Container {
    /// An item of this type that has no block yet.
    NewItem(BlockType),
    /// An item that has a block. Its other blocks are not list items.
    Item,
    /// A quotation, and the number of blocks before it.
    Quote(usize),
}

impl Reader {
    pub fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.finish(tag),
            Event::Text(text) | Event::Html(text) if self.verbatim.is_some() => {
                self.verbatim.get_or_insert_default().push_str(&text);
            }
            Event::Rule => {
                self.close();
                self.push(BlockType::Divider);
            }
            Event::InlineHtml(html) | Event::Html(html) => {
                self.open_if_none();
                self.inline.html(&html);
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.text("\n"),
            Event::TaskListMarker(is_done) => self.text(if is_done { "[x] " } else { "[ ] " }),
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text(&text),
        }
    }

    /// A lower bound of the bytes of what was read, as JSON.
    pub fn json_bytes(&self) -> usize {
        self.inline.json_bytes
    }

    pub fn end(mut self) -> Vec<Block> {
        self.close();
        self.blocks
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.close(),
            Tag::Heading { level, .. } => {
                self.close();
                let is_first = level == HeadingLevel::H1;
                self.current = Some(if is_first { BlockType::Heading1 } else { BlockType::Heading2 });
            }
            Tag::BlockQuote(_) => {
                self.close();
                // A quotation within a new item is the item's block: the end of the item adds no empty one.
                self.use_item();
                self.containers.push(Container::Quote(self.blocks.len()));
                self.quotes += 1;
            }
            Tag::List(first) => {
                self.close();
                self.lists.push(if first.is_some() { BlockType::Number } else { BlockType::Bullet });
            }
            Tag::Item => {
                let kind = self.lists.last().copied().unwrap_or(BlockType::Bullet);
                self.containers.push(Container::NewItem(kind));
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.close();
                self.verbatim = Some(String::new());
            }
            Tag::Table(_) => {
                self.close();
                self.rows = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                self.inline.json_bytes += EMPTY_LIST.len();
                self.rows.get_or_insert_default().push(Vec::new());
            }
            Tag::Emphasis => self.inline.begin(Emphasis::Italic),
            Tag::Strong => self.inline.begin(Emphasis::Bold),
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => self.link(&format!("mailto:{dest_url}")),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.link(&dest_url),
            _ => {}
        }
    }

    fn finish(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.open_if_none();
                self.close();
            }
            TagEnd::Heading(_) => self.close(),
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
                if let Some(Container::Quote(before)) = self.containers.pop()
                    && before == self.blocks.len()
                {
                    // The quotation had no text. It becomes an empty block and is not lost.
                    self.push(BlockType::Quote);
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Item => {
                self.close();
                if let Some(Container::NewItem(kind)) = self.containers.pop() {
                    // The item had no text. It becomes an empty block and is not lost.
                    self.push(kind);
                }
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                let text = self.verbatim.take().unwrap_or_default();
                let text = text.strip_suffix('\n').unwrap_or(&text);
                self.open_if_none();
                // `write` writes an empty paragraph as `<br>`.
                if tag == TagEnd::CodeBlock || !inline::is_break(text) {
                    self.inline.text(text);
                }
                self.close();
            }
            TagEnd::TableCell => {
                let cell = self.inline.take();
                self.inline.json_bytes += EMPTY_LIST.len();
                if let Some(row) = self.rows.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                self.use_item();
                let rows = self.rows.take();
                self.blocks.push(Block { id: None, kind: BlockType::Table, segments: Vec::new(), rows });
            }
            TagEnd::Emphasis => self.inline.end(Emphasis::Italic),
            TagEnd::Strong => self.inline.end(Emphasis::Bold),
            TagEnd::Link | TagEnd::Image => self.inline.end_link(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.open_if_none();
        self.inline.text(text);
    }

    fn link(&mut self, target: &str) {
        self.open_if_none();
        self.inline.begin_link(target);
    }

    /// Opens a block for text, unless there is an open block or table. The container decides the type.
    fn open_if_none(&mut self) {
        if self.rows.is_some() || self.current.is_some() {
            return;
        }
        self.current = Some(match self.containers.last() {
            Some(Container::NewItem(kind)) => *kind,
            _ if self.quotes > 0 => BlockType::Quote,
            _ => BlockType::Paragraph,
        });
    }

    fn close(&mut self) {
        if let Some(kind) = self.current.take() {
            self.push(kind);
        }
    }

    fn push(&mut self, kind: BlockType) {
        self.use_item();
        let segments = self.inline.take();
        self.blocks.push(Block { id: None, kind, segments, rows: None });
    }

    /// Notes that the innermost item has a block.
    fn use_item(&mut self) {
        if let Some(container @ Container::NewItem(_)) = self.containers.last_mut() {
            *container = Container::Item;
        }
    }
}
