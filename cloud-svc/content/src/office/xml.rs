//! XML of a stranger, read one token after another within a bound of memory.

use std::{
    borrow::Cow,
    cell::Cell,
    io::{self, BufRead, Read},
};

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};

// The largest valid spreadsheet has less than half of this.
pub const PARTS_BYTES: u64 = 33_554_432;
// The parser keeps one token in memory, and so does the reader of the workbook later.
const TOKEN_BYTES: usize = 1_048_576;

/// Bytes of a part, which count towards the bounds of a token and of the archive.
pub struct Metered<'a> {
    part: Box<dyn BufRead + 'a>,
    // Reset before each token.
    left_in_token: usize,
    left_in_archive: &'a Cell<u64>,
}

impl<'a> Metered<'a> {
    pub fn new(part: impl BufRead + 'a, left_in_archive: &'a Cell<u64>) -> Self {
        Self { part: Box::new(part), left_in_token: TOKEN_BYTES, left_in_archive }
    }
}

impl BufRead for Metered<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left_in_token == 0 {
            return Err(io::Error::other("too long"));
        }
        if self.left_in_archive.get() == 0 {
            return Err(io::Error::other("too large"));
        }
        self.part.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.left_in_token = self.left_in_token.saturating_sub(count);
        self.left_in_archive.set(self.left_in_archive.get().saturating_sub(count as u64));
        self.part.consume(count);
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

pub struct Xml<'a> {
    reader: Reader<Metered<'a>>,
    buffer: Vec<u8>,
}

pub enum Token<'t> {
    Start(Element<'t>),
    /// The name without its prefix.
    End(String),
    Text(Cow<'t, str>),
    Nothing,
}

impl<'a> Xml<'a> {
    pub fn new(part: Metered<'a>) -> Self {
        let mut reader = Reader::from_reader(part);
        // As the reader of workbooks has it: both see the same tokens.
        let config = reader.config_mut();
        config.check_end_names = false;
        config.check_comments = false;
        config.expand_empty_elements = true;
        Self { reader, buffer: Vec::new() }
    }

    /// The next token; `None` at the end.
    pub fn token(&mut self) -> Result<Option<Token<'_>>, String> {
        self.reader.get_mut().left_in_token = TOKEN_BYTES;
        self.buffer.clear();
        let event = match self.reader.read_event_into(&mut self.buffer) {
            Ok(event) => event,
            Err(_) if self.reader.get_ref().left_in_archive.get() == 0 => return Err(too_large()),
            Err(_) if self.reader.get_ref().left_in_token == 0 => {
                return Err(format!("must have no tag and no text of more than {TOKEN_BYTES} bytes"));
            }
            Err(error) => return Err(broken(&error)),
        };
        Ok(Some(match event {
            Event::Eof => return Ok(None),
            // Entities of its own could make a small text a large one.
            Event::DocType(_) => return Err("must have no document type declaration".to_owned()),
            Event::Start(start) | Event::Empty(start) => Token::Start(Element(start)),
            Event::End(end) => Token::End(end.local_name().as_ref().to_owned()),
            Event::Text(text) => Token::Text(Cow::Owned(text.xml10_content().into_owned())),
            Event::CData(text) => Token::Text(Cow::Owned(text.xml10_content().into_owned())),
            Event::GeneralRef(entity) => match entity.resolve_char_ref() {
                Ok(Some(character)) => Token::Text(Cow::Owned(character.to_string())),
                _ => resolve_predefined_entity(&entity).map_or(Token::Nothing, |text| Token::Text(Cow::Borrowed(text))),
            },
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Token::Nothing,
        }))
    }
}

pub fn too_large() -> String {
    format!("must unpack to at most {PARTS_BYTES} bytes")
}

pub fn broken(error: &dyn std::fmt::Display) -> String {
    format!("must be a readable Office file: {error}")
}

pub struct Element<'t>(BytesStart<'t>);

impl Element<'_> {
    /// Without its prefix.
    pub fn name(&self) -> String {
        self.0.local_name().as_ref().to_owned()
    }

    pub fn is(&self, name: &str) -> bool {
        self.0.local_name().as_ref() == name
    }

    /// The value of an attribute as it is written.
    // Without regard to its prefix, as the reader of the workbook takes it: `r:id`.
    pub fn raw(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut attributes = self.0.attributes();
        let found =
            attributes.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name);
        found.map(|attribute| attribute.value)
    }

    /// The value of an attribute with its references resolved.
    pub fn text(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found =
            attributes.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name);
        Some(found?.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }

    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.raw(name)?.parse().ok()
    }

    /// Whether an attribute is set to `1` or `true`.
    pub fn has(&self, name: &str) -> bool {
        self.raw(name).is_some_and(|value| matches!(&*value, "1" | "true"))
    }

    /// The bytes of the longest attribute.
    pub fn longest(&self) -> usize {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false).flatten().map(|attribute| attribute.value.len()).max().unwrap_or(0)
    }
}
