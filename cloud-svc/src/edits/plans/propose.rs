//! `POST /v1/files/{file_id}/edit-plans`: previews edits of the file that the caller has seen.

use shared_model::{Error, rule::Array};
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    made,
    new_plan::NewPlan,
    operation::{Operation, SentOperations},
    plan::Plan,
    prepared_plan::PreparedPlan,
    record::NewPlanAnswer,
    store::{self, SentAgain},
};
use crate::{
    base::{
        author,
        ids::{CommentId, FileId, PlanId},
        limits::EDIT_OPERATIONS,
        permissions::ProposeEdits,
    },
    files::{comments, file::FileState, precondition},
    workspace::command::Command,
};

shared_model::json_object! {
    /// The edits of a new plan.
    #[derive(Debug)]
    pub struct ProposeEditPlan {
        /// The edits in their order, each on the result of the one before. All are applied, or none.
        pub operations: Vec<Operation> as Array<Operation, 1, EDIT_OPERATIONS>,
        /// The comment on the file that the edits answer. The plan names it, and the comment the plan.
        pub answers_comment_id: Option<CommentId>,
    }
    example = {"operations": [
        {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"}
    ]};
}

/// The file is not changed. A retry with another key gets the plan that is there already.
pub async fn propose(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(FileId,)>,
    if_match: IfMatch,
    Body(ProposeEditPlan { operations, answers_comment_id }): Body<ProposeEditPlan>,
) -> Result<Answer<NewPlanAnswer>, Error> {
    let random = command.context.random.clone();
    let plan = PlanId::from_bytes(random.bytes16());
    let sent = SentOperations::new(operations);
    let sent_sha256 = sent.sha256();
    let make = move |conn: &mut _, file: &_| NewPlan::of_sent(conn, file, &sent, &random);
    let prepared = PreparedPlan::prepare(&command, id, make).await?;
    command
        .run(move |conn, by| {
            let file = precondition::load_for_update(conn, by, id, FileState::Active, if_match)?;
            comments::answers::check(conn, id, answers_comment_id)?;
            let author_key = author::key(&by.author.actor);
            let sent_again = SentAgain::Proposal(answers_comment_id);
            if let Some(same) = store::open_for(conn, &file, &author_key, &sent_sha256, sent_again, by.at)? {
                return made::join(by, &file, same);
            }
            let proposal = prepared.for_state(conn, &file)?;
            made::store_new(conn, by, &file, (Plan { answers_comment_id, ..proposal.plan(plan, by) }, &proposal))
        })
        .await
}
