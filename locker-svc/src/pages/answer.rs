//! What pages read of the answer that lists the parts of an export.

use serde::Deserialize;

#[derive(Deserialize)]
pub struct Answer {
    pub data: Listing,
}

#[derive(Deserialize)]
pub struct Listing {
    pub file_name: String,
    pub bytes: i64,
    pub sha256: String,
    pub part_count: i64,
    pub parts: Vec<Part>,
    pub next_cursor: Option<i64>,
}

#[derive(Deserialize)]
pub struct Part {
    pub index: i64,
    pub bytes: i64,
    pub sha256: String,
    pub file_name: String,
    pub download: Link,
}

#[derive(Deserialize)]
pub struct Link {
    pub url: String,
}
