//! The stylesheet of a service's pages, and their icon.

use sha2::{Digest as _, Sha256};

use crate::http::compression::FixedText;

/// One file for each part of a page.
const COMMON: [&str; 5] = [
    include_str!("assets/base.css"),
    include_str!("assets/layout.css"),
    include_str!("assets/forms.css"),
    include_str!("assets/content.css"),
    include_str!("assets/reference.css"),
];
const PRINT: &str = include_str!("assets/print.css");

pub const ICON: &[u8] = include_bytes!("assets/icon.svg");

/// Rules for what pages show, without those for their layout: for a page within another program.
pub fn content_style(of_service: &str) -> String {
    [include_str!("assets/base.css"), include_str!("assets/content.css"), of_service].concat()
}

/// The stylesheet; in every app.
pub struct Stylesheet {
    name: String,
    text: FixedText,
}

impl Stylesheet {
    /// The common rules with those of the service.
    pub fn new(of_service: &[&str]) -> Self {
        // Print rules are last, so that they override all others.
        let text = [&COMMON[..], of_service, &[PRINT]].concat().concat();
        // Browsers keep a stylesheet for a year: changed rules need a changed name.
        let name = format!("{}.css", hex::encode(&Sha256::digest(&text)[..8]));
        Self { name, text: FixedText::new(text) }
    }

    /// The name, which is derived from the content.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn href(&self) -> String {
        format!("/assets/{}", self.name)
    }

    pub fn text(&self) -> &FixedText {
        &self.text
    }
}
