//! Whatever the bytes, reading spreadsheet content does not panic, and what is accepted stays the same when it is stored.

use cloud_content::{content::Content as _, spreadsheets::content::SpreadsheetContent};
use shared_model::{json, json_reader};

pub fn run(bytes: &[u8]) {
    let Ok(value) = json::parse(bytes) else { return };
    let Ok(content) = json_reader::read::<SpreadsheetContent>(&value) else { return };
    let stored = serde_json::to_string(&content).expect("JSON");
    assert_eq!(serde_json::from_str::<SpreadsheetContent>(&stored).expect("stored content"), content);
    let again = json::parse(stored.as_bytes()).expect("strict JSON");
    assert_eq!(again, value, "nothing is lost, added or written in another form");
    assert!(content.differences(&content).is_empty());
    content.forbidden();
    content.passages().count();
}
