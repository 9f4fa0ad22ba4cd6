//! Helpers of several tests: common requests, and changes that no operation makes.

use diesel::prelude::*;
use serde_json::{Value, json};
use shared_runtime::on_each;
use shared_testing::{Caller, Request, Response, Stage, Text};

/// Runs SQL that is the same on both databases.
pub async fn sql(stage: &Stage, sql: &str) {
    let query = sql.to_owned();
    let transaction = move |conn: &mut shared_runtime::Conn| {
        on_each!(conn, |c| diesel::sql_query(&query).execute(c))?;
        Ok(())
    };
    stage.context.write(transaction).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

/// The column `number` of a query's first row.
pub async fn number(stage: &Stage, sql: &'static str) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        number: i64,
    }
    let query = move |conn: &mut shared_runtime::Conn| {
        let row: Row = on_each!(conn, |c| diesel::sql_query(sql).get_result(c))?;
        Ok(row.number)
    };
    stage.context.read(query).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"))
}

/// Creates a document, which must succeed.
pub async fn create(caller: &Caller, name: &str) -> Response {
    caller.post("/v1/documents").fresh_key().json(json!({"name": name})).await.status(200)
}

/// Creates a folder in another, or at the top, and returns its id.
pub async fn folder(caller: &Caller, name: &str, parent: Option<&str>) -> String {
    let mut body = json!({"name": name});
    if let Some(parent) = parent {
        body["parent_id"] = json!(parent);
    }
    id(&caller.post("/v1/folders").fresh_key().json(body).await.status(200))
}

/// Creates a document in a folder, and returns its id.
pub async fn document_in(caller: &Caller, name: &str, parent: &str) -> String {
    let body = json!({"name": name, "parent_id": parent});
    id(&caller.post("/v1/documents").fresh_key().json(body).await.status(200))
}

/// Creates a document with these texts, in blocks `b0`, `b1`…
pub async fn document_of(caller: &Caller, texts: &[&str]) -> Response {
    let block = |(index, text): (usize, &&str)| json!({"id": format!("b{index}"), "type": "paragraph", "segments": [{"text": text}]});
    let blocks: Vec<_> = texts.iter().enumerate().map(block).collect();
    caller.post("/v1/documents").fresh_key().json(with_blocks(json!(blocks))).await.status(200)
}

/// The id of the file in an answer.
pub fn id(response: &Response) -> String {
    response["file"]["id"].text().to_owned()
}

/// The items of all pages of a list, whose path has a query already.
pub async fn all(caller: &Caller, path: &str) -> Vec<Value> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = caller.get(format!("{path}{cursor}")).await.status(200);
        found.extend(page["items"].as_array().expect("items").clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

/// The current record of a file.
pub async fn record(caller: &Caller, id: &str) -> Response {
    caller.get(format!("/v1/files/{id}")).await.status(200)
}

/// The current etag of a file.
pub async fn etag(caller: &Caller, id: &str) -> String {
    record(caller, id).await["file"]["etag"].text().to_owned()
}

/// A command on a file with its current etag.
pub async fn command(caller: &Caller, id: &str, verb: &str, body: Value) -> Request {
    let etag = etag(caller, id).await;
    caller.post(format!("/v1/files/{id}/{verb}")).fresh_key().header("if-match", etag).json(body)
}

/// Proposes edits of a file with its current etag.
pub async fn propose(caller: &Caller, id: &str, operations: Value) -> Request {
    command(caller, id, "edit-plans", json!({"operations": operations})).await
}

/// Proposes one more paragraph at the end of a document, and returns the plan.
pub async fn plan(caller: &Caller, id: &str, text: &str) -> Value {
    let block = json!({"type": "paragraph", "segments": [{"text": text}]});
    let request = propose(caller, id, json!([{"op": "insert_block", "block": block}])).await;
    request.await.status(200)["plan"].clone()
}

/// Applies a plan with the current etag of the file.
pub async fn apply(caller: &Caller, plan: &Value) -> Request {
    let etag = etag(caller, plan["file_id"].text()).await;
    caller.post(plan["apply_url"].text()).fresh_key().header("if-match", etag).json(json!({}))
}

/// An action on a plan: `discard`, `approve`, ….
pub fn step(caller: &Caller, plan: &Value, verb: &str, body: Value) -> Request {
    let path = format!("/v1/files/{}/edit-plans/{}/{verb}", plan["file_id"].text(), plan["id"].text());
    caller.post(path).fresh_key().json(body)
}

/// Comments on a file, and returns the comment.
pub async fn comment(caller: &Caller, file: &str, text: &str) -> Value {
    let request = caller.post(format!("/v1/files/{file}/comments")).fresh_key().json(json!({"text": text}));
    request.await.status(200)["comment"].clone()
}

/// A command on a comment with the etag of `comment`.
pub fn on_comment(caller: &Caller, comment: &Value, verb: &str, body: Value) -> Request {
    let path = format!("/v1/files/{}/comments/{}/{verb}", comment["file_id"].text(), comment["id"].text());
    caller.post(path).fresh_key().header("if-match", comment["etag"].text()).json(body)
}

/// The path of a created document.
pub fn path(created: &Response) -> String {
    format!("/v1/documents/{}", created["file"]["id"].text())
}

/// A body with these blocks.
pub fn with_blocks(blocks: Value) -> Value {
    json!({"name": "Plan", "content": {"kind": "docs", "blocks": blocks}})
}

/// The content of a document of 150 blocks without ids: 1200 links in exactly this many bytes of JSON.
pub fn links(bytes: usize) -> Value {
    let content = |length: usize, first: &str| {
        let segment = json!({"text": "a", "link": format!("https://example.com/{}", "a".repeat(length))});
        let mut blocks = vec![json!({"type": "paragraph", "segments": vec![segment; 8]}); 150];
        blocks[0]["segments"][0]["text"] = json!(first);
        json!({"kind": "docs", "blocks": blocks})
    };
    let rest = bytes - content(0, "a").to_string().len();
    content(rest / 1_200, &"a".repeat(1 + rest % 1_200))
}
