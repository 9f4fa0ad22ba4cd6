//! Makes blocks of the events of a Markdown parser.

use pulldown_cmark::{Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::inline::{self, Emphasis, InlineReader};
use crate::documents::content::block::{Block, BlockType, Cell};

/// What has been read so far. Markdown nests without a bound, and nothing here recurses.
#[derive(Default)]
pub struct Reader {
    /// The blocks that are complete.
    pub blocks: Vec<Block>,
    /// The type of the block that is being read.
    current: Option<BlockType>,
    /// The text that is being read, of a block or of a cell.
    inline: InlineReader,
    /// The code or HTML that is being read.
    verbatim: Option<String>,
    /// The rows of the table that is being read; its last is not complete.
    rows: Option<Vec<Vec<Cell>>>,
    /// The types of the items of the lists that are open.
    lists: Vec<BlockType>,
    containers: Vec<Container>,
    /// How many of the containers are quotations.
    quotes: usize,
}

/// A list item or a quotation that is open.
enum Container {
    /// An item of this type, until it has a block.
    NewItem(BlockType),
    /// An item that has one: what follows in it is no item of its own.
    Item,
    /// A quotation, and how many blocks were before it.
    Quote(usize),
}

impl Reader {
    /// Takes the next event.
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

    /// All blocks.
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
            Tag::TableHead | Tag::TableRow => self.rows.get_or_insert_default().push(Vec::new()),
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
                    self.push(BlockType::Quote);
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Item => {
                self.close();
                if let Some(Container::NewItem(kind)) = self.containers.pop() {
                    self.push(kind);
                }
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                let text = self.verbatim.take().unwrap_or_default();
                let text = text.strip_suffix('\n').unwrap_or(&text);
                self.open_if_none();
                // A break alone is how an empty paragraph is written.
                if tag == TagEnd::CodeBlock || !inline::is_break(text) {
                    self.inline.text(text);
                }
                self.close();
            }
            TagEnd::TableCell => {
                let cell = self.inline.take();
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

    /// Text belongs to a cell, to the block that is open, or to a new one, whose type is said by what it is in.
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

    /// The innermost item, if it was new, has its block.
    fn use_item(&mut self) {
        if let Some(container @ Container::NewItem(_)) = self.containers.last_mut() {
            *container = Container::Item;
        }
    }
}
