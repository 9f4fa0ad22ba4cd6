//! Rows of a large database, written directly: only their number matters.

use anyhow::Result;
use clap::Args;
use shared_runtime::Conn;

use crate::{changes, names};

/// What the large database holds.
#[derive(Args, Clone)]
pub struct Size {
    /// Workspaces in addition to the one that is measured
    #[arg(long, default_value_t = 10_000)]
    pub workspaces: u64,
    /// Files in each of them
    #[arg(long, default_value_t = 100)]
    pub files_each: u64,
    /// Files in the measured workspace, and as many changes
    #[arg(long, default_value_t = 100_000)]
    pub files: u64,
    /// Versions of one file in it
    #[arg(long, default_value_t = 10_000)]
    pub versions: u64,
    /// Idempotency records that have not expired
    #[arg(long, default_value_t = 100_000)]
    pub records: u64,
}

/// PostgreSQL's index of names.
const BY_NAME: &str = "files_by_name";

/// Fills the database around workspace 1, which has one document already.
pub fn fill(database: &str, size: &Size) -> Result<()> {
    let mut conn = changes::connect(database)?;
    let is_postgres = matches!(conn, Conn::Postgres(_));
    let mut execute = |sql: &str| changes::execute(&mut conn, sql);
    if is_postgres {
        // Ten million names one by one would take most of an hour.
        execute(&format!(
            "CREATE TEMPORARY TABLE by_name AS
                 SELECT replace(pg_get_indexdef('{BY_NAME}'::regclass), ' ON ONLY ', ' ON ') AS made;
             DROP INDEX {BY_NAME}"
        ))?;
    }
    let Size { workspaces, files_each, files, versions, records } = *size;
    let strangers = workspaces * files_each;
    execute(&format!(
        "{} INSERT INTO workspaces (id, name, state, storage_quota_bytes, storage_used_bytes, change_sequence, created_at)
         SELECT i + 1, 'Stranger', 'active', 1000000000, 0, {files_each}, 0 FROM numbers",
        numbers(workspaces)
    ))?;
    // Without parents, as most people have them, and spread over the workspaces, as if they had come in turn.
    execute(&format!(
        "{} INSERT INTO files (workspace_id, name, name_key, type, state, current_version, meta_revision,
             change_sequence, first_change, created_at, updated_at)
         SELECT 2 + i % {workspaces}, 'File ' || i, 'file ' || i, 'document', 'active', 1, 1, 1, i, 0, 0 FROM numbers",
        numbers(strangers)
    ))?;
    execute(&format!(
        "{} INSERT INTO files (workspace_id, name, name_key, type, state, current_version, meta_revision,
             change_sequence, first_change, created_at, updated_at)
         SELECT 1, 'Own ' || i, 'own ' || i, 'document', 'active', 1, 1, 1, i + 1, 0, 0 FROM numbers",
        numbers(files)
    ))?;
    if is_postgres {
        execute("SET maintenance_work_mem = '1GB'; DO $$ BEGIN EXECUTE (SELECT made FROM by_name); END $$")?;
    }
    execute(
        "INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content)
         SELECT files.id, 1, 200, sample.sha256, sample.created_by, 0, sample.content
         FROM files, (SELECT * FROM versions ORDER BY id LIMIT 1) sample
         WHERE files.id NOT IN (SELECT file_id FROM versions)",
    )?;
    execute(&format!(
        "{} INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content)
         SELECT sample.file_id, i + 1, 200, sample.sha256, sample.created_by, 0, sample.content
         FROM numbers, (SELECT * FROM versions ORDER BY id LIMIT 1) sample",
        numbers(versions)
    ))?;
    execute(&format!(
        "UPDATE files SET current_version = {} WHERE id = (SELECT file_id FROM versions ORDER BY id LIMIT 1)",
        versions + 1
    ))?;
    changes::insert(&mut changes::connect(database)?, files)?;
    let scope = if is_postgres { "sha256(i::text::bytea)" } else { "randomblob(32)" };
    execute(&format!(
        "{} INSERT INTO idempotency (scope, fingerprint, created_at, expires_at, status, headers, payload)
         SELECT {scope}, {scope}, 0, 9000000000000000, 200, '[]', '{{}}' FROM numbers",
        numbers(records)
    ))?;
    execute("ANALYZE")?;
    names::index(&mut changes::connect(database)?, 1)
}

fn numbers(count: u64) -> String {
    format!("WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})")
}
