//! German. People are addressed as "Sie".

mod agents_and_webhooks;
mod contents;
mod files;
mod plans;
mod proposals;

use shared_runtime::pages::Table;

pub const TABLES: &[Table] =
    &[files::TABLE, contents::TABLE, plans::TABLE, proposals::TABLE, agents_and_webhooks::TABLE];
