//! The parts of an archive, unpacked within a bound.

use std::{
    cell::Cell,
    io::{BufReader, Cursor, Read as _},
};

use zip::ZipArchive;

use super::xml::{Metered, PARTS_BYTES, Xml, broken, too_large};

// Each part takes memory before anything is unpacked. Workbooks of people have fewer than a hundred.
const PARTS: usize = 2_000;
/// The signature of a part in the directory of an archive.
const ENTRY: &[u8] = b"PK\x01\x02";

pub struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    /// The bytes that may still be unpacked.
    left: Cell<u64>,
}

impl<'b> Archive<'b> {
    pub fn open(bytes: &'b [u8]) -> Result<Self, String> {
        // The reader opens other containers too, which are not checked here.
        if !bytes.starts_with(b"PK") {
            return Err("must be an Office file; its content is not one, or is encrypted".to_owned());
        }
        if bytes.windows(ENTRY.len()).filter(|window| *window == ENTRY).count() > PARTS {
            return Err(format!("must have at most {PARTS} parts"));
        }
        // The reader's message is about the archive format, which does not help the sender.
        let damaged = |_| "must be a readable Office file; it is damaged".to_owned();
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        Ok(Self { zip, left: Cell::new(PARTS_BYTES) })
    }

    /// The names of all parts.
    pub fn names(&self) -> Result<Vec<String>, String> {
        self.zip.file_names().map(|name| name.map(|name| name.into_owned()).map_err(|error| broken(&error))).collect()
    }

    /// Reads a part as XML; `None` if there is no such part.
    pub fn xml<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Xml<'_>) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let part = self.zip.by_index(index).map_err(|error| broken(&error))?;
        read(&mut Xml::new(Metered::new(BufReader::new(part), &self.left))).map(Some)
    }

    /// Unpacks a part to nowhere, to count its bytes.
    pub fn measure(&mut self, name: &str) -> Result<(), String> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(()) };
        let part = self.zip.by_index(index).map_err(|error| broken(&error))?;
        // One byte more than allowed shows that a part is too large.
        let count = std::io::copy(&mut part.take(self.left.get() + 1), &mut std::io::sink());
        let left = self.left.get().checked_sub(count.map_err(|error| broken(&error))?);
        self.left.set(left.ok_or_else(too_large)?);
        Ok(())
    }
}
