//! `POST /f/{file_id}/comments`: comments, replies, resolves and reopens.

use serde_json::json;
use shared_model::{Error, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{
    actions::{REOPEN, RESOLVE, WRITE},
    file,
    phrases::file_href,
    refused,
    typed::typed,
};
use crate::base::ids::FileId;

pub async fn comment(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(()) => {
            let (file,): (FileId,) = visit.path()?;
            Ok(Redirect::to(format!("{}#comments", file_href(file))).into())
        }
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            file::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<(), Error> {
    let (file,): (FileId,) = visit.path()?;
    let file = file.to_string();
    let comment = visit.value("comment").filter(|comment| !comment.is_empty());
    let action = visit.value("action").unwrap_or_default();
    if action == WRITE {
        let mut body = json!({"text": typed(visit, "text").trim_end()});
        if let Some(parent) = comment {
            body["parent_comment_id"] = json!(parent);
        }
        visit.operation("create_comment").path(&[&file]).once().json(body).text().await?;
        return Ok(());
    }
    let status = match action {
        RESOLVE => "resolved",
        REOPEN => "open",
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    };
    let path = [file.as_str(), comment.unwrap_or_default()];
    let call = |operation| {
        let call = visit.operation(operation).path(&path).once();
        call.if_match(visit.value("etag").unwrap_or_default())
    };
    // Who may write settles anybody's comment; others only their own.
    let settled = match (visit.may("settle_comment"), action) {
        (true, _) => call("settle_comment").json(json!({"status": status})),
        (false, RESOLVE) => call("resolve_comment").json(json!({})),
        (false, _) => call("reopen_comment").json(json!({})),
    };
    settled.text().await?;
    Ok(())
}
