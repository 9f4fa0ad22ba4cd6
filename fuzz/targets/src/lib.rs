//! What must hold for foreign bytes, whatever they are. `fuzz/src/bin` gives each of these functions to libFuzzer, and the
//! test of this crate gives them the kept corpus.

#![forbid(unsafe_code)]

pub mod a1;
pub mod content;
pub mod csv;
pub mod docx;
pub mod formula;
pub mod headers;
pub mod json;
pub mod markdown;
pub mod mcp;
pub mod multipart;
pub mod note;
mod office;
pub mod picture;
pub mod publication;
pub mod range;
pub mod receipt;
pub mod receipts;
pub mod spreadsheet;
mod text;
pub mod token;
pub mod url;
pub mod xlsx;

/// Panics where something does not hold for these bytes.
pub type Target = fn(&[u8]);

/// All targets by their names, which are also those of their programs and of their corpora.
pub const TARGETS: &[(&str, Target)] = &[
    ("a1", a1::run),
    ("content", content::run),
    ("csv", csv::run),
    ("docx", docx::run),
    ("formula", formula::run),
    ("headers", headers::run),
    ("json", json::run),
    ("markdown", markdown::run),
    ("mcp", mcp::run),
    ("multipart", multipart::run),
    ("note", note::run),
    ("picture", picture::run),
    ("publication", publication::run),
    ("range", range::run),
    ("receipt", receipt::run),
    ("receipts", receipts::run),
    ("spreadsheet", spreadsheet::run),
    ("token", token::run),
    ("url", url::run),
    ("xlsx", xlsx::run),
];
