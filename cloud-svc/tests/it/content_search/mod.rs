//! `GET /v1/content-search`: words of names, contents and comments.

mod find;
mod histories;
mod index;
mod kills;
mod model;
mod tenants;

use cloud_svc::{WorkspaceId, files::content_search::index::job};
use serde_json::Value;
use shared_testing::{Caller, Stage, Text};

/// A stage without limits of rates.
pub async fn stage() -> Stage {
    let unlimited = |settings: &mut shared_runtime::context::settings::Settings| {
        settings.rate_limits.0.extend(["read", "write", "chunk"].map(|name| (name.to_owned(), 10_000_000)));
    };
    Stage::of(cloud_svc::service()).settings(unlimited).await
}

pub fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The items of all pages.
pub async fn all(caller: &Caller, query: &str, limit: usize) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = caller.get(format!("/v1/content-search?{query}&limit={limit}{cursor}")).await.status(200);
        assert_eq!(page["content_is_untrusted"], true);
        assert_eq!(page["has_more"], page["next_cursor"] != Value::Null);
        items.extend(page["items"].as_array().expect("items").iter().cloned());
        match &page["next_cursor"] {
            Value::Null => return items,
            next => cursor = format!("&cursor={}", next.text()),
        }
    }
}

/// The ids of all found files.
pub async fn ids(caller: &Caller, query: &str) -> Vec<String> {
    all(caller, query, 100).await.iter().map(|item| item["file"]["id"].text().to_owned()).collect()
}

/// Brings the index of workspace 1 up to date.
pub async fn indexed(stage: &Stage) {
    job::keep(&stage.context, WorkspaceId::from_number(1)).await.expect("an index");
}
