//! German. People are addressed as "Sie".

mod agents_and_webhooks;
mod contents;
mod files;
mod plans;

use shared_runtime::pages::Table;

pub const TABLES: &[Table] = &[files::TABLE, contents::TABLE, plans::TABLE, agents_and_webhooks::TABLE];
