//! What more than one test needs: requests worded once, and changes that no operation makes yet.

use diesel::prelude::*;
use serde_json::{Value, json};
use shared_runtime::on_each;
use shared_testing::{Caller, Response, Stage, Text};

/// The SQL that puts a folder into workspace 1; its id is that of the next file.
pub const FOLDER: &str = "INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence, \
                          created_at, updated_at) VALUES (1, 'Folder', 'folder', 'folder', 'active', 1, 1, 0, 0)";

/// Runs SQL that is the same on both databases.
pub async fn sql(stage: &Stage, sql: &'static str) {
    let transaction = move |conn: &mut shared_runtime::Conn| {
        on_each!(conn, |c| diesel::sql_query(sql).execute(c))?;
        Ok(())
    };
    stage.context.write(transaction).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

/// Creates a document named `name` and insists that it worked.
pub async fn create(caller: &Caller, name: &str) -> Response {
    caller.post("/v1/documents").fresh_key().json(json!({"name": name})).await.status(200)
}

/// The path at which a created document is read.
pub fn path(created: &Response) -> String {
    format!("/v1/documents/{}", created["file"]["id"].text())
}

/// A body with these blocks.
pub fn with_blocks(blocks: Value) -> Value {
    json!({"name": "Plan", "content": {"kind": "docs", "blocks": blocks}})
}
