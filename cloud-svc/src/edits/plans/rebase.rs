//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/rebase`: proposes the edits of a plan on the present content.

use crate::files::version_store;
use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use shared_model::{Error, Failure, Refusal, code};
use shared_runtime::{Answer, Body, Conn, IfMatch, Path};

use super::{
    operation::{self, Operation, Planned},
    plan::PlanAnswer,
    proposal::{self, Proposal},
    propose::{self, Attempt},
    store,
};
use crate::{
    base::{
        codes,
        empty::Empty,
        ids::{FileId, PlanId},
        links::FileLinks,
        permissions::ProposeEdits,
    },
    files::{
        self,
        file::{File, FileState},
        precondition,
    },
    workspace::command::Command,
};
use cloud_content::{content::PartKey, of_kind, touched_twice::touched_twice};

/// The most keys in a message.
const NAMED: usize = 20;

/// Makes a new plan if nobody has changed what the plan changes. The old plan stays as it is.
pub async fn rebase(
    command: Command<ProposeEdits>,
    Path((id, plan)): Path<(FileId, PlanId)>,
    seen: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<PlanAnswer>, Error> {
    // Made here, because the transaction may run again.
    let new = PlanId::from_bytes(command.context.random.bytes16());
    let records = Arc::clone(&command.by.links);
    let attempt = Attempt::make(&command, id, move |conn, file| rebased(conn, file, plan, &records)).await?;
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let (plan, _) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
            plan.check_open(&by.links, &file)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            precondition::check_seen(conn, &file, seen, &by.links)?;
            let proposal = attempt.outcome(conn, &file)?;
            propose::add(conn, by, new, &file, &proposal)
        })
        .await
}

fn rebased(conn: &mut Conn, file: &File, plan: PlanId, records: &FileLinks) -> Result<Proposal, Error> {
    let conflict = |message| Refusal { message, ..records.refresh(&codes::PLAN_CONFLICT, file) };
    // Impossible edits are a conflict and no mistake of the caller: a block may be deleted by now, or the file may have
    // grown too large.
    let impossible = |error| match error {
        Error::Refused(refusal) if refusal.code.status == 422 => conflict(refusal.message).into(),
        other => other,
    };
    let (plan, _) = store::find(conn, file.id, plan)?.ok_or_else(code::not_found)?;
    let operations = operation::stored(&store::operations(conn, plan.id)?)?;
    let base = version_store::find(conn, file.id, plan.base_version_id)?;
    let current = files::store::with_content(conn, file.workspace_id, file.id, file.kind)?;
    let (Some((_, base)), Some((_, current))) = (base, current) else {
        return Err(Failure::fault("a version that a plan is for is gone").into());
    };
    let touched = of_kind!(file.kind, C => touched::<C>(&base.content, &current.content, &operations));
    let touched = touched.unwrap_or_else(|| Ok(BTreeSet::new())).map_err(impossible)?;
    if !touched.is_empty() {
        let named: Vec<&str> = touched.iter().take(NAMED).map(String::as_str).collect();
        let message = format!(
            "The file has changed where the plan would change it. Affected parts ({}): {}.",
            touched.len(),
            named.join(", ")
        );
        return Err(conflict(message.into()).into());
    }
    Proposal::make(conn, file, &operations).map_err(impossible)
}

fn touched<C: Planned>(base: &str, current: &str, operations: &[Operation]) -> Result<BTreeSet<PartKey>, Error> {
    let base: C = serde_json::from_str(base).map_err(Failure::from)?;
    let current: C = serde_json::from_str(current).map_err(Failure::from)?;
    touched_twice(&base, &current, |content| {
        // Without retired ids, which differ between the two states. `Proposal::make` checks them.
        proposal::edited(content, operations, HashSet::new()).map(|(result, _)| result)
    })
}
