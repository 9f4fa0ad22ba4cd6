//! `POST /f/{file_id}/edit`: proposes a plan of what was changed, and leads to its preview.

use serde_json::{Value, json};
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{
    cells::{self, Cells},
    document, form, note,
    versions::{current, edited, not_editable},
};
use crate::{
    edits::plans::record::NewPlanAnswer,
    faces::pages::{phrases::file_href, plan::shown_plan, refused, typed::typed},
    files::versions::read::VersionAnswer,
};
use cloud_content::{file_type::FileType, spreadsheets::content::SpreadsheetContent};

pub async fn propose(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(href) => Ok(Redirect::to(href).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            form::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<String, Error> {
    let base = edited(visit).await?;
    let operations = operations(visit, &base).await?;
    if operations.is_empty() {
        return Err(problem("The text", "must differ from the file: nothing is changed yet").into());
    }
    let call = visit.operation("propose_file_edit").path(&[&base.file.id.to_string()]).once();
    let call = call.if_match(visit.value("etag").unwrap_or_default());
    let answer = call.json(json!({"operations": operations})).answer::<NewPlanAnswer>().await;
    let answer = answer.map_err(|error| cells::named(&operations, error))?;
    Ok(shown_plan::href(&answer.plan))
}

async fn operations(visit: &SignedIn, base: &VersionAnswer) -> Result<Vec<Value>, Error> {
    let json = base.content.get();
    Ok(match base.file.kind {
        FileType::Note => {
            let current = current(visit, base).await?;
            let (title, text) = (typed(visit, "title"), typed(visit, "text"));
            note::operations(&serde_json::from_str(json)?, current.as_ref(), &title, &text)
        }
        FileType::Document => {
            let operations = document::operations(&serde_json::from_str(json)?, &typed(visit, "text"))?;
            operations.map_err(|problems| Refusal::problems(&code::INVALID_FIELD, problems))?
        }
        FileType::Spreadsheet => {
            check_cells(visit, base)?;
            let content: SpreadsheetContent = serde_json::from_str(json)?;
            let cells = Cells::asked(visit, &content)?;
            cells.operations()
        }
        _ => return Err(not_editable().into()),
    })
}

/// 412 for cells of another version than the one that the ETag names: they may be elsewhere there.
// With an ETag that is as old, the operation refuses. It repeats its answer if the form was sent twice.
fn check_cells(visit: &SignedIn, base: &VersionAnswer) -> Result<(), Refusal> {
    let VersionAnswer { file, version, .. } = base;
    let names_newest = visit.value("etag").is_some_and(|etag| etag == file.etag.to_string());
    if names_newest && file.current_version_id != Some(version.id) {
        return Err(code::stale(file_href(file.id), file.etag));
    }
    Ok(())
}

fn problem(at: &str, rule: &str) -> Refusal {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: at.to_owned(), rule: rule.to_owned() }])
}
