//! The kinds of content: the one list of them, and what goes through it.
//!
//! A new kind is a folder with its content type, and a row here.

use crate::{content::Content, file_type::FileType, native_kind::NativeKind};

/// Hands the list to another macro of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! with_kinds {
    ($macro:ident($($input:tt)*)) => {
        $crate::$macro! {
            [
                Document = $crate::documents::content::DocumentContent,
                Spreadsheet = $crate::spreadsheets::content::SpreadsheetContent,
                Note = $crate::notes::content::NoteContent,
                Publication = $crate::publications::content::PublicationContent,
                Presentation = $crate::presentations::content::PresentationContent,
            ]
            $($input)*
        }
    };
}

/// Evaluates an expression with the content type of a file type as `$content`; `None` for folders and uploads.
#[macro_export]
macro_rules! of_kind {
    ($type:expr, $content:ident => $expression:expr) => {
        $crate::with_kinds! { match_kind($type, $content => $expression) }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! match_kind {
    ([$($variant:ident = $kind:ty,)+] $type:expr, $content:ident => $expression:expr) => {
        match $type {
            $($crate::file_type::FileType::$variant => {
                type $content = $kind;
                Some($expression)
            })+
            $crate::file_type::FileType::Folder
            | $crate::file_type::FileType::Pdf
            | $crate::file_type::FileType::UploadedFile => None,
        }
    };
}

/// Evaluates an expression for each kind of content, under the name `$content`: an array of the results.
#[macro_export]
macro_rules! for_each_kind {
    ($content:ident => $expression:expr) => {
        $crate::with_kinds! { list_kinds($content => $expression) }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! list_kinds {
    ([$($variant:ident = $kind:ty,)+] $content:ident => $expression:expr) => {
        [$({
            type $content = $kind;
            $expression
        }),+]
    };
}

pub const ALL: &[&NativeKind] = &for_each_kind!(C => C::KIND);

/// The row of the kind that files of this type have; `None` for folders and uploads.
pub fn native_kind(file_type: FileType) -> Option<&'static NativeKind> {
    of_kind!(file_type, C => C::KIND)
}

/// The row of the kind that plans name by this word.
pub fn of_plan(plan_kind: &str) -> Option<&'static NativeKind> {
    ALL.iter().copied().find(|kind| kind.plan_kind == plan_kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_from_the_word_of_the_file_type() {
        for kind in ALL {
            assert_eq!(kind.collection, format!("{}s", kind.file_type.as_str()));
            assert_eq!(kind.label.to_lowercase(), kind.file_type.as_str());
        }
    }

    #[test]
    fn rows_are_found_by_the_type_of_a_file_and_by_the_kind_of_a_plan() {
        for kind in ALL {
            assert_eq!(native_kind(kind.file_type).expect("a row").collection, kind.collection);
            assert_eq!(of_plan(kind.plan_kind).expect("a row").collection, kind.collection);
        }
    }
}
