//! Writes two versions of a document as one Word file with tracked changes.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use quick_xml::escape::escape;
use shared_model::Failure;
use similar::ChangeTag;

use super::{
    package::{DOTS, FIRST_NUMBERED, link_id, package},
    slots::{Slot, Versions, slots},
    texts::{DIVIDER, RowChange, is_in_xml, row_changes},
    track::{Style, Tracker, Word, words},
};
use crate::documents::content::{
    DocumentContent,
    block::{Block, BlockType, Cell},
    segment::Segment,
    settings::PageSize,
};

/// Who proposed the changes, and when.
#[derive(Clone, Copy, Debug)]
pub struct Tracked<'a> {
    pub author: &'a str,
    /// As RFC 3339 has it.
    pub at: &'a str,
}

/// The file: with all changes accepted it has the text of the new version, with all rejected that of the old one.
pub fn docx(versions: &Versions, by: Tracked<'_>) -> Result<Vec<u8>, Failure> {
    let mut writer = Writer {
        xml: String::new(),
        by,
        tracker: Tracker::default(),
        marks: 0,
        links: Vec::new(),
        numbers_of_links: BTreeMap::new(),
        lists: 0,
        in_list: false,
    };
    writer.document(&slots(versions), page_size(&versions.after)).map_err(|error| Failure::fault(error.to_string()))?;
    package(&writer.xml, &writer.links, writer.lists).map_err(|error| Failure::fault(error.to_string()))
}

/// In twentieths of a point.
fn page_size(content: &DocumentContent) -> (u32, u32) {
    match content.settings.map(|settings| settings.page) {
        Some(PageSize::Letter) => (12_240, 15_840),
        Some(PageSize::A4) | None => (11_906, 16_838),
    }
}

struct Writer<'a> {
    xml: String,
    by: Tracked<'a>,
    tracker: Tracker,
    /// How many marks there are: each has a number of its own.
    marks: usize,
    links: Vec<&'a str>,
    numbers_of_links: BTreeMap<&'a str, usize>,
    lists: usize,
    in_list: bool,
}

impl<'a> Writer<'a> {
    fn document(&mut self, slots: &[Slot<'a>], (width, height): (u32, u32)) -> fmt::Result {
        self.xml.push_str(concat!(
            r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            "\n",
            r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" "#,
            r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>"#
        ));
        for slot in slots {
            self.slot(slot)?;
        }
        // A paragraph that goes is joined to the next one, so one must follow that stays. It has no text.
        write!(
            self.xml,
            r#"<w:p/><w:sectPr><w:pgSz w:w="{width}" w:h="{height}"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>"#
        )
    }

    fn slot(&mut self, slot: &Slot<'a>) -> fmt::Result {
        let (before, after) = (slot.before, slot.after);
        let Some(kind) = after.or(before).map(|block| block.kind) else { return Ok(()) };
        // A list that continues keeps its numbers, no matter which of its items are tracked.
        self.in_list &= kind == BlockType::Number;
        if kind == BlockType::Table {
            let rows = |block: Option<&'a Block>| block.and_then(|block| block.rows.as_deref()).unwrap_or(&[]);
            return self.table(&row_changes(rows(before), rows(after)));
        }
        let whole = match (before, after) {
            (Some(_), None) => Some(ChangeTag::Delete),
            (None, Some(_)) => Some(ChangeTag::Insert),
            _ => None,
        };
        self.xml.push_str("<w:p><w:pPr>");
        self.style(kind)?;
        if let Some(tag) = whole {
            self.xml.push_str("<w:rPr>");
            self.mark(tag)?;
            self.xml.push_str("/></w:rPr>");
        }
        self.xml.push_str("</w:pPr>");
        let segments = |block: Option<&'a Block>| block.map_or(&[][..], |block| &block.segments);
        if kind == BlockType::Divider {
            let line = Word { text: DIVIDER, style: Style::default() };
            self.run(whole.unwrap_or(ChangeTag::Equal), &[line])?;
        } else {
            self.text(segments(before), segments(after))?;
        }
        self.xml.push_str("</w:p>");
        Ok(())
    }

    fn style(&mut self, kind: BlockType) -> fmt::Result {
        let name = match kind {
            BlockType::Paragraph | BlockType::Table => return Ok(()),
            BlockType::Heading1 => "Heading1",
            BlockType::Heading2 => "Heading2",
            BlockType::Bullet | BlockType::Number => "ListParagraph",
            BlockType::Quote => "Quote",
            BlockType::Divider => "Divider",
        };
        write!(self.xml, r#"<w:pStyle w:val="{name}"/>"#)?;
        let list = match kind {
            BlockType::Bullet => DOTS,
            BlockType::Number => {
                self.lists += usize::from(!self.in_list);
                self.in_list = true;
                FIRST_NUMBERED + self.lists - 1
            }
            _ => return Ok(()),
        };
        write!(self.xml, r#"<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{list}"/></w:numPr>"#)
    }

    fn table(&mut self, rows: &[RowChange<'a>]) -> fmt::Result {
        self.xml
            .push_str(r#"<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr>"#);
        let columns = rows.iter().map(|row| row.after.or(row.before).map_or(0, <[Cell]>::len)).max().unwrap_or(0);
        write!(self.xml, "<w:tblGrid>{}</w:tblGrid>", "<w:gridCol/>".repeat(columns))?;
        for row in rows {
            self.xml.push_str("<w:tr>");
            let whole = match (row.before, row.after) {
                (Some(_), None) => Some(ChangeTag::Delete),
                (None, Some(_)) => Some(ChangeTag::Insert),
                _ => None,
            };
            if let Some(tag) = whole {
                self.xml.push_str("<w:trPr>");
                self.mark(tag)?;
                self.xml.push_str("/></w:trPr>");
            }
            for cell in row.after.or(row.before).unwrap_or(&[]) {
                self.xml.push_str("<w:tc><w:p>");
                self.run(whole.unwrap_or(ChangeTag::Equal), &words(cell))?;
                self.xml.push_str("</w:p></w:tc>");
            }
            self.xml.push_str("</w:tr>");
        }
        self.xml.push_str("</w:tbl>");
        Ok(())
    }

    fn text(&mut self, before: &'a [Segment], after: &'a [Segment]) -> fmt::Result {
        for (tag, words) in self.tracker.tracked(before, after) {
            self.run(tag, &words)?;
        }
        Ok(())
    }

    fn run(&mut self, tag: ChangeTag, words: &[Word<'a>]) -> fmt::Result {
        // One element for a run of words: programs show each element as a change of its own.
        for words in words.chunk_by(|one, next| one.style == next.style) {
            let style = words[0].style;
            // A link is around the mark: a mark cannot have a link inside.
            if let Some(link) = style.link {
                let index = *self.numbers_of_links.entry(link).or_insert_with(|| {
                    self.links.push(link);
                    self.links.len() - 1
                });
                write!(self.xml, r#"<w:hyperlink r:id="{}">"#, link_id(index))?;
            }
            let is_marked = tag != ChangeTag::Equal;
            if is_marked {
                self.mark(tag)?;
                self.xml.push('>');
            }
            self.xml.push_str("<w:r>");
            self.properties(style);
            for word in words {
                self.word(tag, word.text)?;
            }
            self.xml.push_str("</w:r>");
            if is_marked {
                write!(self.xml, "</w:{}>", name(tag))?;
            }
            if style.link.is_some() {
                self.xml.push_str("</w:hyperlink>");
            }
        }
        Ok(())
    }

    fn properties(&mut self, Style { bold, italic, underline, link }: Style<'_>) {
        let all = [
            (link.is_some(), r#"<w:rStyle w:val="Hyperlink"/>"#),
            (bold, "<w:b/>"),
            (italic, "<w:i/>"),
            (underline, r#"<w:u w:val="single"/>"#),
        ];
        let chosen: String = all.iter().filter(|(is_on, _)| *is_on).map(|(_, xml)| *xml).collect();
        if !chosen.is_empty() {
            self.xml.extend(["<w:rPr>", &chosen, "</w:rPr>"]);
        }
    }

    fn word(&mut self, tag: ChangeTag, text: &str) -> fmt::Result {
        let element = if tag == ChangeTag::Delete { "delText" } else { "t" };
        // Each stretch without a tab and a line break, which are elements of their own.
        for piece in text.split_inclusive(['\t', '\n']) {
            let (text, end) = match piece.strip_suffix('\n').map(|text| (text, "<w:br/>")) {
                Some(split) => split,
                None => piece.strip_suffix('\t').map_or((piece, ""), |text| (text, "<w:tab/>")),
            };
            if !text.is_empty() {
                let shown: String = text.chars().filter(|character| is_in_xml(*character)).collect();
                write!(self.xml, r#"<w:{element} xml:space="preserve">{}</w:{element}>"#, escape(shown))?;
            }
            self.xml.push_str(end);
        }
        Ok(())
    }

    /// Begins the element that marks a change; the caller ends it.
    fn mark(&mut self, tag: ChangeTag) -> fmt::Result {
        self.marks += 1;
        let (id, author, at) = (self.marks, escape(self.by.author), escape(self.by.at));
        write!(self.xml, r#"<w:{} w:id="{id}" w:author="{author}" w:date="{at}""#, name(tag))
    }
}

fn name(tag: ChangeTag) -> &'static str {
    if tag == ChangeTag::Delete { "del" } else { "ins" }
}
