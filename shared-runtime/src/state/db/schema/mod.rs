//! The schema of a database: its migrations, its columns, and the row that names its owner.

pub mod database_identity;
pub mod introspection;
pub mod migration;
pub mod migrations;
