//! The stylesheet of all pages, and their icon: embedded, and found by a name that changes with the content.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// One part for each kind of thing.
const PARTS: &[&str] = &[
    include_str!("assets/base.css"),
    include_str!("assets/layout.css"),
    include_str!("assets/forms.css"),
    include_str!("assets/content.css"),
    include_str!("assets/reference.css"),
    include_str!("assets/print.css"),
];

/// The icon.
pub const ICON: &[u8] = include_bytes!("assets/icon.svg");
/// Where it is.
pub const ICON_PATH: &str = "/assets/icon.svg";

static NAME: LazyLock<String> = LazyLock::new(|| {
    let hash = Sha256::digest(text());
    format!("{}.css", hex::encode(&hash[..8]))
});

/// What the stylesheet is called: another one has another name.
pub fn name() -> &'static str {
    &NAME
}

/// Where it is.
pub fn href() -> String {
    format!("/assets/{}", name())
}

/// The stylesheet.
pub fn text() -> Vec<u8> {
    PARTS.concat().into_bytes()
}
