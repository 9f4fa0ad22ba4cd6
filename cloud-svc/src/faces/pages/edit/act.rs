//! `POST /f/{file_id}/edit`: proposes a plan of what was changed, and leads to its preview.

use serde_json::{Value, json};
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{
    cell_edits,
    cells::Cells,
    document, form, note,
    of_others::{Replaced, TOLD, are_told},
    other_cells,
    versions::{edited, not_editable, seen},
};
use crate::{
    edits::plans::record::NewPlanAnswer,
    faces::pages::{phrases::file_href, plan::shown_plan, refused, typed::typed},
    files::versions::read::VersionAnswer,
};
use cloud_content::{
    documents::content::DocumentContent, file_type::FileType, spreadsheets::content::SpreadsheetContent,
};

/// Proposes the edits of the form, or shows other cells with all that was typed.
pub async fn propose(visit: SignedIn) -> Result<PageResponse, Error> {
    let done = match other_cells::are_asked(&visit) {
        true => form::shown(&visit).await.map(PageResponse::from),
        false => carry_out(&visit).await.map(|href| Redirect::to(href).into()),
    };
    match done {
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            form::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        done => done,
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
    let shown = visit.value("sheet").unwrap_or_default();
    let answer = answer.map_err(|error| cell_edits::named(&operations, shown, error))?;
    Ok(shown_plan::href(&answer.plan))
}

async fn operations(visit: &SignedIn, base: &VersionAnswer) -> Result<Vec<Value>, Error> {
    let json = base.content.get();
    Ok(match base.file.kind {
        FileType::Note => {
            let seen = seen(visit, base).await?;
            let (title, text) = (typed(visit, "title"), typed(visit, "text"));
            let edits = note::edits(&serde_json::from_str(json)?, seen.as_ref(), &title, &text);
            check_told(visit, base, &edits.replaced)?;
            edits.operations
        }
        FileType::Document => {
            let content: DocumentContent = serde_json::from_str(json)?;
            let seen = seen(visit, base).await?;
            let edits = document::edits(&content, seen.as_ref().unwrap_or(&content), &typed(visit, "text"))?;
            let edits = edits.map_err(|problems| Refusal::problems(&code::INVALID_FIELD, problems))?;
            check_told(visit, base, &edits.replaced)?;
            edits.operations
        }
        FileType::Spreadsheet => {
            check_cells(visit, base)?;
            let content: SpreadsheetContent = serde_json::from_str(json)?;
            cell_edits::operations(&Cells::asked(visit, &content)?)?
        }
        _ => return Err(not_editable().into()),
    })
}

/// 412 if the cells are of another version than the one that the ETag names, where they may have moved.
// If the ETag is old as well, the operation refuses, or repeats its answer to a form that was sent twice.
fn check_cells(visit: &SignedIn, base: &VersionAnswer) -> Result<(), Refusal> {
    let VersionAnswer { file, version, .. } = base;
    let names_newest = visit.value("etag").is_some_and(|etag| etag == file.etag.to_string());
    if names_newest && file.current_version_id != Some(version.id) {
        return Err(code::stale(file_href(file.id), file.etag));
    }
    Ok(())
}

/// 412 if the edits would replace parts of others, and the page has not said so.
fn check_told(visit: &SignedIn, base: &VersionAnswer, replaced: &[Replaced]) -> Result<(), Refusal> {
    match are_told(visit.value(TOLD).unwrap_or_default(), replaced) {
        true => Ok(()),
        false => Err(code::stale(file_href(base.file.id), base.file.etag)),
    }
}

fn problem(at: &str, rule: &str) -> Refusal {
    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: at.to_owned(), rule: rule.to_owned() }])
}
