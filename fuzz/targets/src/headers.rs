//! Whatever the text, reading cursors, entity tags, times and names does not panic. No text is a cursor that was not made by
//! us, and what is accepted is written as the same text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shared_model::{Cursor, Etag, Name, Secret, Timestamp};

fuzz_target!(|text: &str| {
    let secret = Secret::from_bytes([7; 32]);
    let now = Timestamp::from_seconds(1_800_000_000);
    let cursors = Cursor::for_list(&secret, "list_files", "ws_1", "");
    assert!(cursors.decode(text, now).is_err(), "a forged cursor");
    let made = cursors.encode(text, now);
    assert_eq!(cursors.decode(&made, now).as_deref(), Ok(text));
    if let Some(tag) = Etag::parse(text) {
        assert_eq!(tag.to_string(), text);
        assert!(tag.matches_if_none_match(text));
    }
    if let Some(time) = Timestamp::parse(text) {
        assert_eq!(Timestamp::parse(&time.to_string()), Some(time));
    }
    if let Ok(name) = Name::parse(text) {
        assert_eq!(Name::parse(name.as_str()).as_ref().map(Name::as_str), Ok(name.as_str()));
    }
});
