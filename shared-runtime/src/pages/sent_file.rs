//! A file that a form uploads.

use actix_web::web;
use shared_model::{Refusal, code};

/// The file input of a form.
#[derive(Clone, Copy, Debug)]
pub struct FileField {
    pub name: &'static str,
    /// The largest file.
    pub max_bytes: usize,
    /// The size of each piece except the last.
    pub piece_bytes: usize,
}

impl FileField {
    /// 413.
    pub(super) fn too_large(self) -> Refusal {
        code::BODY_TOO_LARGE.because(format!("The file is larger than {} MiB.", self.max_bytes / (1024 * 1024)))
    }
}

/// A file as a browser sent it.
#[derive(Clone, Debug, Default)]
pub struct SentFile {
    /// Without folders; untrusted.
    pub name: String,
    /// As the browser guessed it; untrusted.
    pub media_type: String,
    pub bytes: usize,
    /// In order; each but the last has the size that the field declares.
    pub pieces: Vec<web::Bytes>,
}

/// Cuts what arrives into pieces of one size.
#[derive(Debug)]
pub struct Pieces {
    field: FileField,
    last: web::BytesMut,
    pub file: SentFile,
}

impl Pieces {
    pub fn new(field: FileField, name: &str, media_type: String) -> Self {
        // Some browsers send the path on the person's own disk.
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        Self { field, last: web::BytesMut::new(), file: SentFile { name, media_type, ..SentFile::default() } }
    }

    /// False if the file is larger than the field takes.
    pub fn push(&mut self, mut bytes: &[u8]) -> bool {
        self.file.bytes += bytes.len();
        if self.file.bytes > self.field.max_bytes {
            return false;
        }
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(self.field.piece_bytes - self.last.len()));
            self.last.extend_from_slice(now);
            bytes = later;
            if self.last.len() == self.field.piece_bytes {
                self.file.pieces.push(self.last.split().freeze());
            }
        }
        true
    }

    pub fn end(mut self) -> SentFile {
        if !self.last.is_empty() {
            self.file.pieces.push(self.last.freeze());
        }
        self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_arrives_becomes_pieces_of_one_size() {
        let field = FileField { name: "file", max_bytes: 10, piece_bytes: 4 };
        let mut pieces = Pieces::new(field, "C:\\private\\a.txt", String::new());
        assert!(["ab", "", "cdefgh", "ij"].iter().all(|bytes| pieces.push(bytes.as_bytes())));
        let file = pieces.end();
        assert_eq!((file.name.as_str(), file.bytes), ("a.txt", 10));
        assert_eq!(file.pieces, ["abcd", "efgh", "ij"]);
        assert!(!Pieces::new(field, "", String::new()).push(b"0123456789a"));
    }
}
