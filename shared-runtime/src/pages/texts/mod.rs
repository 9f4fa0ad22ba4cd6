//! The texts of the pages that all services have.

// A file for each language. The English text is the key, so that a page can be read where it is written.

mod german;

use super::text::Texts;

pub const TEXTS: Texts = Texts { german: &[german::TABLE] };

/// A text of these pages.
macro_rules! text {
    ($($text:tt)+) => { $crate::page_text!($crate::pages::texts::TEXTS, $($text)+) };
}
