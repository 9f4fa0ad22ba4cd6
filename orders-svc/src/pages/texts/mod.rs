//! The texts of the pages of Orders.

// A file for each language. The English text is the key, so that a page can be read where it is written.

mod german;

use shared_runtime::pages::Texts;

pub const TEXTS: Texts = Texts { german: &[german::TABLE] };

/// A text of these pages; with values for its places it is markup.
macro_rules! text {
    ($($text:tt)+) => { shared_runtime::page_text!($crate::pages::texts::TEXTS, $($text)+) };
}

/// The same without markup, for titles.
macro_rules! title {
    ($($text:tt)+) => { shared_runtime::page_title!($crate::pages::texts::TEXTS, $($text)+) };
}
