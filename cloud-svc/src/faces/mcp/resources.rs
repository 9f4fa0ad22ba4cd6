//! Files as MCP resources: `service-cloud://ws_1/file_12`.

use serde::{Deserialize as _, de::DeserializeOwned};
use serde_json::Value;
use shared_model::{ErrorBody, Failure, code};
use shared_runtime::{
    http::operations::{CallResult, Operations},
    mcp::{Arguments, Content, ListedResource, ResourceFuture, ResourcePage, Resources, Template, call_operation},
};
use url::Url;

use super::view::{self, SCHEME};
use crate::files::{
    file::{FileAnswer, FileRecord},
    list::FileList,
};
use cloud_content::{content::Content as _, file_type::FileType, kinds::native_kind, of_kind, view::View};

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
// A model reads all of an answer, so long text comes in pages.
const PAGE_BYTES: u64 = 40_000;

pub(super) fn resources() -> Resources {
    Resources {
        templates: &[Template {
            uri: "service-cloud://{workspace_id}/{file_id}{?view,cursor}",
            name: "file",
            title: "A file",
            description: "A file as Markdown; a spreadsheet as its list of sheets, and other files as their record, in JSON. \
                          service/next_uri in _meta leads to the next part of a long file.",
        }],
        list: |operations, cursor| Box::pin(list(operations, cursor)) as ResourceFuture<'_, ResourcePage>,
        views: view::VIEWS,
        read: |operations, uri| Box::pin(read(operations, uri)) as ResourceFuture<'_, Content>,
    }
}

async fn list(operations: &Operations, cursor: Option<String>) -> Result<Result<ResourcePage, ErrorBody>, Failure> {
    let mut arguments = Arguments::new();
    arguments.extend(cursor.map(|cursor| ("cursor".to_owned(), cursor.into())));
    let list: FileList = match answered(operations, "list_files", arguments).await? {
        Ok(list) => list,
        Err(refused) => return Ok(Err(refused)),
    };
    let listing = |file: FileRecord| {
        let media_type = match file.kind {
            // A folder has no content of its own.
            FileType::Folder => return None,
            file_type if has_markdown(file_type) => MARKDOWN,
            _ => JSON,
        };
        let uri = format!("{SCHEME}://{}/{}", file.workspace_id, file.id);
        Some(ListedResource { uri, name: file.name, media_type })
    };
    let resources = list.items.into_iter().filter_map(listing).collect();
    Ok(Ok(ResourcePage { resources, next_cursor: list.next_cursor }))
}

async fn read(operations: &Operations, uri: String) -> Result<Result<Content, ErrorBody>, Failure> {
    if let Some(shown) = view::read(operations, &uri).await {
        return shown;
    }
    let Some(Named { file_id, cursor }) = named(operations, &uri) else {
        return match operations.refuse("get_file", &code::not_found())? {
            CallResult::Refused(body) => Ok(Err(body)),
            CallResult::Answered(_) => Err(Failure::fault("a refusal that is an answer")),
        };
    };
    let file = Arguments::from_iter([("file_id".to_owned(), Value::from(file_id.as_str()))]);
    let record: Value = match answered(operations, "get_file", file.clone()).await? {
        Ok(record) => record,
        Err(refused) => return Ok(Err(refused)),
    };
    let Some(kind) = native_kind(FileAnswer::deserialize(&record)?.file.kind) else {
        return Ok(Ok(Content { text: record.to_string(), media_type: JSON, next_uri: None }));
    };
    let is_text = has_markdown(kind.file_type);
    let mut arguments = file;
    if is_text {
        arguments.insert("view".to_owned(), "markdown".into());
        arguments.insert("max_bytes".to_owned(), PAGE_BYTES.into());
        arguments.extend(cursor.map(|cursor| ("cursor".to_owned(), cursor.into())));
    }
    let body: Value = match answered(operations, kind.resource, arguments).await? {
        Ok(body) => body,
        Err(refused) => return Ok(Err(refused)),
    };
    let next = body["next_cursor"].as_str();
    // Without the query, which has the cursor of this part.
    let next_uri = next.map(|cursor| format!("{}?cursor={cursor}", uri.split('?').next().unwrap_or_default()));
    Ok(Ok(match body["markdown"].as_str().filter(|_| is_text) {
        Some(text) => Content { text: text.to_owned(), media_type: MARKDOWN, next_uri },
        None => Content { text: body.to_string(), media_type: JSON, next_uri },
    }))
}

fn has_markdown(file_type: FileType) -> bool {
    of_kind!(file_type, C => C::has_view(View::Markdown)).unwrap_or(false)
}

struct Named {
    file_id: String,
    cursor: Option<String>,
}

/// `None` if the URI is malformed or names another workspace.
fn named(operations: &Operations, uri: &str) -> Option<Named> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == SCHEME && url.fragment().is_none())?;
    let workspace_id = operations.identity()?.workspace_id?;
    // Another workspace is not found: whether its file exists is no business of this grant.
    // One spelling for each file: a port or a user would be ignored otherwise.
    let is_plain = url.port().is_none() && url.username().is_empty() && url.password().is_none();
    if !is_plain || url.host_str()? != format!("ws_{workspace_id}") {
        return None;
    }
    let mut cursor = None;
    for (name, value) in url.query_pairs() {
        match (name.as_ref(), value.as_ref()) {
            ("view", "markdown") => {}
            ("cursor", value) => cursor = Some(value.to_owned()),
            // An unknown parameter is refused: ignoring it would return something else than the client asked for.
            _ => return None,
        }
    }
    Some(Named { file_id: url.path().strip_prefix('/')?.to_owned(), cursor })
}

async fn answered<T: DeserializeOwned>(
    operations: &Operations,
    id: &str,
    arguments: Arguments,
) -> Result<Result<T, ErrorBody>, Failure> {
    match call_operation(operations, id, arguments).await? {
        CallResult::Answered(json) => Ok(Ok(serde_json::from_str(&json)?)),
        CallResult::Refused(body) => Ok(Err(body)),
    }
}
