//! Whatever the text, reading cursors, download links, entity tags, times and names does not panic. No text is a cursor
//! or a link that was not made by us. What is accepted is written as the same text.

use crate::text::text;
use shared_model::{Cursor, Etag, Name, Secret, Timestamp, signed_token};

pub fn run(bytes: &[u8]) {
    let text = text(bytes);
    let secret = Secret::from_bytes([7; 32]);
    let now = Timestamp::from_seconds(1_800_000_000);
    let cursors = Cursor::for_list(&secret, "list_files", "ws_1", "");
    assert!(cursors.decode(text, now).is_err(), "a forged cursor");
    let made = cursors.encode(text, now);
    assert_eq!(cursors.decode(&made, now).as_deref(), Ok(text));
    assert!(signed_token::Reader::verify(text, &secret).is_none(), "a forged link");
    let signed = signed_token::Writer::default().field([7]).sign(text, &secret);
    let mut link = signed_token::Reader::verify(&signed, &secret).expect("our link");
    assert_eq!((link.field(), link.text().as_deref()), (Some([7]), Some(text)));
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
}
