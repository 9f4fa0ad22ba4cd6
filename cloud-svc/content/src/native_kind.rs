//! The row of a kind of content: its names, and what routes and exports say of it.

use shared_model::Code;

use crate::file_type::FileType;

/// A kind of content, as everything outside its folder knows it. [`crate::kinds::ALL`] lists them.
#[derive(Debug)]
pub struct NativeKind {
    pub file_type: FileType,
    /// The member `kind` of plans: `docs`.
    pub plan_kind: &'static str,
    /// For people: `Document`.
    pub label: &'static str,
    /// In paths: `documents`.
    pub collection: &'static str,
    pub create: KindOperation,
    pub read: KindOperation,
    pub apply: KindOperation,
    /// The operation that a resource of this kind is read by.
    pub resource: &'static str,
    /// OpenAPI names of the body of `create` and of the answer of `read`.
    pub create_schema: &'static str,
    pub answer_schema: &'static str,
    /// How names of exported files can end; the last one is for the content as it is stored.
    pub file_ends: &'static [&'static str],
}

/// An operation that every kind has.
#[derive(Debug)]
pub struct KindOperation {
    pub id: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    /// Empty: the same for all kinds.
    pub description: &'static str,
    /// The codes that only this kind refuses with.
    pub refuses: &'static [&'static Code],
}

/// Makes the row of a kind. All names follow from its word; the macro concatenates them, so that they are constants.
macro_rules! native_kind {
    (
        $type:ident, $word:literal, $label:literal, plan_kind = $plan_kind:literal, file_ends = [$($end:literal)?],
        create = { $create:literal, refuses = $create_refuses:expr },
        read = { $read:literal, refuses = $read_refuses:expr },
        $(resource = $resource:expr,)?
    ) => {
        $crate::native_kind::NativeKind {
            file_type: $crate::file_type::FileType::$type,
            plan_kind: $plan_kind,
            label: $label,
            collection: concat!($word, "s"),
            create: $crate::native_kind::KindOperation {
                id: concat!("create_", $word),
                path: concat!("/v1/", $word, "s"),
                summary: concat!("Create a private native ", $word, " with an immutable initial version."),
                description: $create,
                refuses: $create_refuses,
            },
            read: $crate::native_kind::KindOperation {
                id: concat!("get_", $word),
                path: concat!("/v1/", $word, "s/{file_id}"),
                summary: concat!("Read the ", $word, " and its current ETag."),
                description: $read,
                refuses: $read_refuses,
            },
            apply: $crate::native_kind::KindOperation {
                id: concat!("apply_", $word, "_edit"),
                path: concat!("/v1/", $word, "s/{file_id}/edit-plans/{plan_id}/apply"),
                summary: concat!("Apply the exact ", $word, " proposal after checking its base version."),
                description: "",
                refuses: &[],
            },
            resource: $crate::native_kind::first!($($resource,)? concat!("get_", $word)),
            create_schema: concat!("Create", $label),
            answer_schema: concat!($label, "Answer"),
            file_ends: &[$($end,)? concat!(".", $word, ".json")],
        }
    };
}

/// The first of one or two values: the second is the default.
macro_rules! first {
    ($first:expr) => {
        $first
    };
    ($first:expr, $default:expr) => {
        $first
    };
}

pub(crate) use {first, native_kind};
