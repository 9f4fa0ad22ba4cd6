//! `POST /w/proposals/{proposal_id}`: carries out the forms of the page.

use serde_json::json;
use shared_model::{Error, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{forms::SEEN, show};
use crate::{
    base::ids::ProposalId,
    faces::pages::{
        actions::{APPLY, APPROVE, DISCARD, REBASE, REJECT, REQUEST_REVIEW, UNDO},
        phrases::proposal_href,
        refused,
        typed::{required, typed},
    },
};

/// Leads back to the proposal.
pub async fn act(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(href) => Ok(Redirect::to(href).into()),
        Err(Error::Refused(refusal)) if refused::is_shown(&refusal) => {
            show::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<String, Error> {
    let (id,): (ProposalId,) = visit.path()?;
    let value = |name: &str| typed(visit, name);
    // What the page has shown: the operation refuses if the plans are others by now.
    let seen = || json!({"proposal_sha256": value(SEEN)});
    let (operation, body) = match value("action").as_str() {
        APPLY => ("apply_proposal", seen()),
        APPROVE => ("approve_proposal", seen()),
        REBASE => ("rebase_proposal", seen()),
        REJECT => ("reject_proposal", json!({"reason": required(visit, "reason")?})),
        REQUEST_REVIEW => match value("note").as_str() {
            "" => ("request_proposal_review", json!({})),
            note => ("request_proposal_review", json!({"note": note})),
        },
        DISCARD => ("discard_proposal", json!({})),
        UNDO => ("undo_proposal", json!({})),
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    };
    // With the key of the form: a double click applies the plans once.
    visit.operation(operation).path(&[&id.to_string()]).once().json(body).text().await?;
    Ok(proposal_href(id))
}
