//! Whatever the picture, reading it does not panic, and what is shown of it is a picture within the bound.

use cloud_svc::faces::pages::preview::reencode::{LONG_SIDE, measured, reencoded};

pub fn run(bytes: &[u8]) {
    let measured_first = measured(bytes);
    let Ok(picture) = reencoded(bytes) else { return };
    let (width, height) = measured(&picture.bytes).expect("what is shown is a picture");
    assert!((1..=LONG_SIDE).contains(&width) && (1..=LONG_SIDE).contains(&height), "{width} × {height}");
    let size = measured_first.expect("what is encoded again has a size");
    if size.0.max(size.1) <= LONG_SIDE {
        assert_eq!((width, height), size, "the page has left this much room for it");
    }
}
