//! Inserts the rows of a document with one statement, in one round trip.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Binary, Text},
};
use shared_runtime::{Conn, state::db::prepared};

use super::values::{CREATED_BY, NAME, NOW, answer, sha256};

const DOCUMENT: &str = "
    WITH workspace AS (
        UPDATE workspaces
        SET storage_used_bytes = storage_used_bytes + $2, change_sequence = change_sequence + 1
        WHERE id = $1
        RETURNING change_sequence
    ), file AS (
        INSERT INTO files (workspace_id, name, name_key, type, state, current_version, meta_revision, change_sequence,
                           first_change, created_at, updated_at)
        SELECT $1, $3, 'benchmark', 'document', 'active', 1, 1, change_sequence, change_sequence, $4, $4 FROM workspace
        RETURNING id
    ), version AS (
        INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content)
        SELECT id, 1, $2, $5, $6, $4, $7 FROM file
    )
    INSERT INTO idempotency (scope, fingerprint, created_at, expires_at, status, headers, payload)
    VALUES ($8, $8, $4, $4 + 1, 200, '[]', $9)";

// The statement is its own transaction.
pub fn document(conn: &mut Conn, workspace: i64, content: &str, key: &[u8; 32]) -> QueryResult<()> {
    let Conn::Postgres(conn) = conn else { return Err(diesel::result::Error::NotFound) };
    let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let statement = diesel::sql_query(DOCUMENT)
        .bind::<BigInt, _>(workspace)
        .bind::<BigInt, _>(bytes)
        .bind::<Text, _>(NAME)
        .bind::<BigInt, _>(NOW)
        .bind::<Text, _>(sha256())
        .bind::<Text, _>(CREATED_BY)
        .bind::<Text, _>(content)
        .bind::<Binary, _>(key.as_slice())
        .bind::<Text, _>(answer());
    prepared(statement).execute(conn)?;
    Ok(())
}
