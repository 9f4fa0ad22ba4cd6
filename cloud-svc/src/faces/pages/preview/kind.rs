//! What a page shows of an upload, by the media type that was recognized from its bytes.

use crate::files::chunk_lists::chunk_list::UNKNOWN;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Or what may be text: nothing was recognized.
    Text,
    Picture,
    Sound,
    Film,
    Pdf,
    /// Facts only.
    Other,
}

impl Kind {
    pub fn of(media_type: &str) -> Self {
        match media_type {
            UNKNOWN => Self::Text,
            "application/pdf" => Self::Pdf,
            // The formats that the service can decode. Others, such as AVIF, are downloaded.
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Self::Picture,
            other if other.starts_with("text/") => Self::Text,
            other if other.starts_with("audio/") => Self::Sound,
            other if other.starts_with("video/") => Self::Film,
            _ => Self::Other,
        }
    }
}
