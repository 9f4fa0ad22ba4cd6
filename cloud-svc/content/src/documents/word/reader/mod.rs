//! Reads the paragraphs of a Word file, which may be hostile, with the changes that are still tracked in it.

#[cfg(test)]
mod tests;

use super::paragraph::Paragraph;
use crate::office::{
    archive::Archive,
    xml::{Token, Xml},
};

// Word and LibreOffice both give the text this name.
const TEXT: &str = "word/document.xml";

/// Documents have far fewer, even with a table of a hundred rows in each block.
const PARAGRAPHS: usize = 100_000;

/// The paragraphs outside of tables, and the rows of tables, in order.
pub fn read(bytes: &[u8]) -> Result<Vec<Paragraph>, String> {
    let read = Archive::open(bytes)?.xml(TEXT, paragraphs)?;
    read.ok_or_else(|| "must be a Word file (.docx)".to_owned())
}

#[derive(Default)]
struct Reader {
    done: Vec<Paragraph>,
    current: Paragraph,
    /// How many elements are open that mark text as inserted or moved here, and as deleted or moved away.
    inserted: usize,
    deleted: usize,
    /// Whether the row itself is inserted or deleted.
    row: (bool, bool),
    rows: usize,
    in_text: bool,
    in_run: bool,
    /// How many properties are open: marks there are of the end of a paragraph or of a whole row.
    properties: usize,
    in_row_properties: bool,
}

fn paragraphs(xml: &mut Xml<'_>) -> Result<Vec<Paragraph>, String> {
    let mut reader = Reader::default();
    while let Some(token) = xml.token()? {
        match token {
            Token::Start(element) => reader.begin(&element.name()),
            Token::End(name) => reader.end(&name)?,
            Token::Text(text) if reader.in_text => reader.add(&text),
            Token::Text(_) | Token::Nothing => {}
        }
    }
    Ok(reader.done)
}

impl Reader {
    fn begin(&mut self, name: &str) {
        match name {
            "pPr" | "rPr" => self.properties += 1,
            "trPr" => {
                self.properties += 1;
                self.in_row_properties = true;
            }
            "ins" | "del" if self.in_row_properties => {
                self.row = (self.row.0 || name == "ins", self.row.1 || name == "del")
            }
            "ins" | "del" | "moveTo" | "moveFrom" if self.properties > 0 => {}
            "ins" | "moveTo" => self.inserted += 1,
            "del" | "moveFrom" => self.deleted += 1,
            "tr" => {
                self.rows += 1;
                self.row = (false, false);
            }
            "r" => self.in_run = true,
            "t" | "delText" => self.in_text = true,
            // The same names stand for tab stops in properties.
            "br" | "cr" | "tab" if self.in_run => self.add(" "),
            "noBreakHyphen" => self.add("\u{2011}"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), String> {
        match name {
            "pPr" | "rPr" => self.properties = self.properties.saturating_sub(1),
            "trPr" => {
                self.properties = self.properties.saturating_sub(1);
                self.in_row_properties = false;
            }
            "ins" | "moveTo" if self.properties == 0 => self.inserted = self.inserted.saturating_sub(1),
            "del" | "moveFrom" if self.properties == 0 => self.deleted = self.deleted.saturating_sub(1),
            "t" | "delText" => self.in_text = false,
            "r" => self.in_run = false,
            // The cells of a row are one text.
            "p" if self.rows > 0 => self.add(" "),
            "p" => self.finish()?,
            "tr" => {
                self.rows = self.rows.saturating_sub(1);
                if self.rows == 0 {
                    self.finish()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        // Text that was inserted and then deleted is in neither version.
        if self.inserted == 0 {
            self.current.before.push_str(text);
        }
        if self.deleted == 0 {
            self.current.after.push_str(text);
        }
    }

    fn finish(&mut self) -> Result<(), String> {
        let Paragraph { mut before, mut after } = std::mem::take(&mut self.current);
        let (is_inserted, is_deleted) = std::mem::take(&mut self.row);
        if is_inserted {
            before.clear();
        }
        if is_deleted {
            after.clear();
        }
        self.done.push(Paragraph { before, after });
        if self.done.len() > PARAGRAPHS {
            return Err(format!("must have at most {PARAGRAPHS} paragraphs"));
        }
        Ok(())
    }
}
