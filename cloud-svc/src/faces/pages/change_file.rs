//! `POST /f/{file_id}/change`: renames, trashes, restores or purges a file.

use serde_json::json;
use shared_model::{Error, Name, Problem, Refusal, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{
    actions::{PURGE, RENAME, RESTORE, RESTORE_VERSION, TRASH},
    file,
    phrases::file_href,
    refused,
};
use crate::{base::ids::FileId, files::details::read::DetailsAnswer};

pub async fn change(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(href) => Ok(Redirect::to(href).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            file::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

/// Leads to the page that shows the effect.
async fn carry_out(visit: &SignedIn) -> Result<String, Error> {
    let (file,): (FileId,) = visit.path()?;
    let id = file.to_string();
    let etag = visit.value("etag").unwrap_or_default();
    let name = visit.value("name").unwrap_or_default();
    let call = |operation| visit.operation(operation).path(&[&id]).once().if_match(etag);
    match visit.value("action").unwrap_or_default() {
        RENAME => drop(call("rename_file").json(json!({"name": name})).text().await?),
        TRASH => drop(call("trash_file").json(json!({})).text().await?),
        RESTORE => drop(call("restore_file").json(json!({})).text().await?),
        RESTORE_VERSION => {
            let version = visit.value("version").unwrap_or_default();
            let call = visit.operation("restore_version").path(&[&id, version]).once();
            call.if_match(etag).json(json!({})).text().await?;
        }
        PURGE => {
            check_name(visit, &id, name).await?;
            call("purge_file").json(json!({})).text().await?;
            return Ok("/w?state=trashed".to_owned());
        }
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    }
    Ok(file_href(file))
}

// A purge cannot be undone, so a person types what he is about to lose.
async fn check_name(visit: &SignedIn, id: &str, typed: &str) -> Result<(), Error> {
    let details = visit.operation("get_file_details").path(&[id]).answer::<DetailsAnswer>().await;
    let DetailsAnswer { file, .. } = match details {
        Ok(details) => details,
        // It is gone already, perhaps by this very form: the operation knows.
        Err(Error::Refused(refusal)) if refusal.code.status == 404 => return Ok(()),
        Err(error) => return Err(error),
    };
    let is_same = Name::parse(typed.trim()).is_ok_and(|typed| typed.as_str() == file.name);
    if is_same {
        return Ok(());
    }
    let problem = Problem { at: "The name".to_owned(), rule: "must be that of the file, exactly".to_owned() };
    Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into())
}
