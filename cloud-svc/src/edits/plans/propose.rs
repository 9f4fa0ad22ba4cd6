//! `POST /v1/files/{file_id}/edit-plans`: previews edits of the file that the caller has seen.

use std::time::Duration;

use shared_model::{Error, Refusal, code, rule::Array};
use shared_runtime::{Answer, Body, Conn, IfMatch, Path};

use super::{
    operation::Operation,
    plan::{PlanAnswer, PlanRecord},
    proposal::{Base, Proposal},
    store,
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        limits::{EDIT_OPERATIONS, EDIT_PLAN_SECONDS},
        permissions::ProposeEdits,
    },
    files::{
        self,
        file::{File, FileState},
        precondition,
    },
    workspace::command::{ChangeContext, Command},
};

shared_model::json_object! {
    /// The edits of a new plan.
    #[derive(Debug)]
    pub struct ProposeEditPlan {
        /// The edits in their order, each on the result of the one before. All are applied, or none.
        pub operations: Vec<Operation> as Array<Operation, 1, EDIT_OPERATIONS>,
    }
    example = {"operations": [
        {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"}
    ]};
}

/// The file is not changed.
pub async fn propose(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(FileId,)>,
    seen: IfMatch,
    Body(ProposeEditPlan { mut operations }): Body<ProposeEditPlan>,
) -> Result<Answer<PlanAnswer>, Error> {
    // Made here, because the transaction may run again. The preview shows the ids that the new parts will have.
    let random = &command.context.random;
    operations.iter_mut().for_each(|operation| operation.give_ids(random));
    let plan = PlanId::from_bytes(random.bytes16());
    let attempt = Attempt::make(&command, id, move |conn, file| Proposal::make(conn, file, &operations)).await?;
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Active, seen)?;
            let proposal = attempt.outcome(conn, &file)?;
            add(conn, by, plan, &file, &proposal)
        })
        .await
}

/// Stores a plan and answers with it.
pub fn add(
    conn: &mut Conn,
    by: &ChangeContext,
    id: PlanId,
    file: &File,
    proposal: &Proposal,
) -> Result<Answer<PlanAnswer>, Error> {
    let expires_at = by.at.plus(Duration::from_secs(EDIT_PLAN_SECONDS));
    let plan = store::insert(conn, &by.author, id, proposal, by.at, expires_at)?;
    Ok(PlanAnswer::ok(PlanRecord::of(plan, &proposal.preview, file, &by.links, by.at)?)?)
}

/// A proposal that is made before the transaction.
// Large content takes long, and nobody should wait for the database meanwhile. The transaction makes the proposal again
// only if the file has changed.
pub struct Attempt<Make> {
    base: Option<Base>,
    made: Result<Proposal, Box<Refusal>>,
    make: Make,
}

impl<Make> Attempt<Make>
where
    Make: Fn(&mut Conn, &File) -> Result<Proposal, Error> + Clone + Send + 'static,
{
    /// Makes a proposal for the present state of the file.
    pub async fn make<P>(command: &Command<P>, id: FileId, make: Make) -> Result<Self, Error> {
        let owner = command.by.owner();
        let read = make.clone();
        let made = command.context.read(move |conn| {
            let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
            match read(conn, &file) {
                Ok(proposal) => Ok((Some(proposal.base), Ok(proposal))),
                Err(Error::Refused(refusal)) => Ok((Base::of(&file), Err(refusal))),
                Err(failed) => Err(failed),
            }
        });
        match made.await {
            Ok((base, made)) => Ok(Self { base, made, make }),
            // A repeated command must get its first answer even if the file is gone, so the transaction refuses.
            Err(Error::Refused(refusal)) => Ok(Self { base: None, made: Err(refusal), make }),
            Err(failed) => Err(failed),
        }
    }

    /// The proposal for this state of the file.
    pub fn outcome(&self, conn: &mut Conn, file: &File) -> Result<Proposal, Error> {
        if self.base.is_some() && self.base == Base::of(file) {
            self.made.clone().map_err(Error::Refused)
        } else {
            (self.make)(conn, file)
        }
    }
}
