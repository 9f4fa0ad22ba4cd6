//! The guides and the reference, as each service shows them at `/docs`.
//!
//! A crate of its own: an edit of a guide does not rebuild the runtime.

#![forbid(unsafe_code)]

use shared_runtime::pages::{Document, Documents, Section};

macro_rules! documents {
    ($($path:literal),+ $(,)?) => { &[$(Document { path: $path, text: include_str!(concat!($path, ".md")) }),+] };
}

/// Sections of a service: how to start, the guides that concern it, and the reference with its own operations.
macro_rules! sections {
    (start: $($start:literal),+; guides: $($guide:literal),*; operations: $operations:literal;) => {
        Documents {
            sections: &[
                Section { title: "Start", documents: documents![$($start),+, "guides/concepts"] },
                Section {
                    title: "Guides",
                    documents: documents!["guides/requests", "guides/errors-and-retries", $($guide,)* "guides/mcp"],
                },
                Section {
                    title: "Reference",
                    documents: documents![
                        $operations,
                        "reference/errors",
                        "reference/limits",
                        "reference/settings",
                        "reference/metrics",
                    ],
                },
            ],
            pictures: &[Document { path: "guides/edit.svg", text: include_str!("guides/edit.svg") }],
        }
    };
}

pub const CLOUD: Documents = sections! {
    start: "guides/quickstart";
    guides: "guides/files", "guides/search", "guides/edit-as-an-agent", "guides/review", "guides/decide-in-parts",
        "guides/propose-together", "guides/review-in-word", "guides/prove-a-decision", "guides/limit-agents",
        "guides/protect-parts", "guides/call-an-agent", "guides/edit-a-budget", "guides/uploads",
        "guides/downloads", "guides/change-feed", "guides/webhooks", "guides/sign-in-and-pages",
        "guides/import-and-export";
    operations: "reference/cloud";
};

pub const LOCKER: Documents = sections! {
    start: "guides/test-a-model-connection";
    guides: "guides/export-a-room", "guides/sign-in-and-pages";
    operations: "reference/locker";
};

pub const ORDERS: Documents = sections! {
    start: "guides/place-an-order";
    guides: "guides/sign-in-and-pages";
    operations: "reference/orders";
};

pub const TRUST: Documents = sections! {
    start: "guides/publish-an-event";
    guides: "guides/sign-in-and-pages";
    operations: "reference/trust";
};
