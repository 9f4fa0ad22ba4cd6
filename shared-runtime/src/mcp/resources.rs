//! Resources as the protocol shows them.

use rmcp::{
    ErrorData,
    model::{
        self, CacheScope, ListResourcesResult, MetaObject, ReadResourceResult, ResourceContents, ResourceTemplate,
    },
};
use serde_json::json;
use shared_model::{ErrorBody, Failure};

use super::{
    resource::{Content, ListedResource, ResourcePage, Template, View},
    tools::Tools,
};
use crate::http::operations::Operations;

/// The extension for pages within a client, and the type of such pages.
pub(super) const VIEWS: &str = "io.modelcontextprotocol/ui";
const VIEW_MEDIA_TYPE: &str = "text/html;profile=mcp-app";
// It changes only with a release.
const TTL_MS: u64 = 300_000;

pub(super) fn templates(tools: &Tools) -> Vec<ResourceTemplate> {
    let templates = tools.resources.as_ref().map(|resources| resources.templates).unwrap_or_default();
    let template = |Template { uri, name, title, description }: &Template| {
        ResourceTemplate::new(*uri, *name).with_title(*title).with_description(*description)
    };
    templates.iter().map(template).collect()
}

pub(super) async fn list(
    tools: &Tools,
    operations: &Operations,
    cursor: Option<String>,
) -> Result<Result<ListResourcesResult, ErrorData>, Failure> {
    let Some(resources) = &tools.resources else { return Ok(Ok(ListResourcesResult::with_all_items(Vec::new()))) };
    let ResourcePage { resources, next_cursor } = match (resources.list)(operations, cursor).await? {
        Ok(listed) => listed,
        Err(body) => return Ok(Err(error(&body))),
    };
    let resource =
        |ListedResource { uri, name, media_type }| model::Resource::new(uri, name).with_mime_type(media_type);
    let mut result = ListResourcesResult::with_all_items(resources.into_iter().map(resource).collect());
    result.next_cursor = next_cursor;
    result.meta = Some(tools.marks());
    Ok(Ok(result.with_ttl_ms(0).with_cache_scope(CacheScope::Private)))
}

pub(super) async fn read(
    tools: &Tools,
    operations: &Operations,
    uri: String,
) -> Result<Result<ReadResourceResult, ErrorData>, Failure> {
    let Some(resources) = &tools.resources else {
        return Ok(Err(ErrorData::resource_not_found("There is no such resource.", Some(json!({"uri": uri})))));
    };
    if let Some(view) = resources.views.iter().find(|view| view.uri == uri) {
        return Ok(Ok(shown(view)));
    }
    let Content { text, media_type, next_uri } = match (resources.read)(operations, uri.clone()).await? {
        Ok(content) => content,
        Err(body) => return Ok(Err(with_uri(error(&body), &uri))),
    };
    let MetaObject(mut meta) = tools.marks();
    meta.extend(next_uri.map(|uri| ("service/next_uri".to_owned(), uri.into())));
    let contents = ResourceContents::TextResourceContents {
        uri,
        mime_type: Some(media_type.to_owned()),
        text,
        meta: Some(MetaObject(meta)),
    };
    let result = ReadResourceResult::new(vec![contents]);
    Ok(Ok(result.with_ttl_ms(0).with_cache_scope(CacheScope::Private)))
}

/// Without the marks of others' content, since it has none.
fn shown(view: &View) -> ReadResourceResult {
    // No origin may be asked for anything: an absent list would leave that to the client.
    let meta = json!({"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": true}});
    let contents = ResourceContents::TextResourceContents {
        uri: view.uri.to_owned(),
        mime_type: Some(VIEW_MEDIA_TYPE.to_owned()),
        text: (view.html)(),
        meta: meta.as_object().cloned().map(MetaObject),
    };
    ReadResourceResult::new(vec![contents]).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public)
}

/// The protocol wants to know which resource it is about.
fn with_uri(mut error: ErrorData, uri: &str) -> ErrorData {
    if let Some(data) = &mut error.data {
        data["uri"] = uri.into();
    }
    error
}

/// Our error object becomes the data of the protocol's error.
fn error(body: &ErrorBody) -> ErrorData {
    let data = serde_json::to_value(body).ok();
    match body.error.code.as_str() {
        "not_found" => ErrorData::resource_not_found(body.error.message.clone(), data),
        _ => ErrorData::invalid_params(body.error.message.clone(), data),
    }
}
