//! `POST /f/{file_id}/convert`: converts an upload to a native file. The end of its name decides the type.

use serde_json::json;
use shared_model::{Error, NextAction, Problem, Refusal};
use shared_runtime::pages::{PageResponse, SignedIn};

use super::{
    file,
    new_file::{Created, made},
    refused,
};
use crate::base::ids::FileId;

pub async fn convert(visit: SignedIn) -> Result<PageResponse, Error> {
    let (id,): (FileId,) = visit.path()?;
    let call = visit.operation("convert_file").path(&[&id.to_string()]).once();
    match call.json(json!({})).answer::<Created>().await {
        Ok(created) => Ok(made(&created)),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            file::page(&visit, Some(&named(*refusal))).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

/// A person does not know the parameter of the operation.
fn named(refusal: Refusal) -> Refusal {
    let Some(NextAction::CorrectRequest { problems }) = refusal.next_action(false) else { return refusal };
    let named = |problem: Problem| Problem { at: "The file".to_owned(), ..problem };
    Refusal::problems(refusal.code, problems.into_iter().map(named).collect())
}
