//! `POST /v1/files/{file_id}/edit-plans/{plan_id}/amend`: adds edits to somebody else's plan.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Failure, NextAction, Problem, Random, Refusal, code, json_column::Json, rule::Array};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    derive::{derived, supersede},
    lineage::{CoAuthor, DerivedBy, Lineage},
    made,
    new_plan::NewPlan,
    operation::{self, Operation, SentOperations},
    plan::Plan,
    prepared_plan::PreparedPlan,
    record::NewPlanAnswer,
    rules::{self, Step},
    store::{self, SentAgain},
};
use crate::{
    base::{
        author,
        ids::{FileId, PlanId},
        limits::EDIT_OPERATIONS,
        links::FileLinks,
        permissions::WriteFiles,
        plan_state::StoredState,
    },
    files::{
        self,
        file::{File, FileState},
        precondition,
    },
    workspace::command::Command,
};
use cloud_content::{content::Content, of_kind};

shared_model::json_object! {
    /// Edits that a reviewer adds to a plan.
    #[derive(Debug)]
    pub struct AmendPlan {
        /// The edits in their order, on the result of the plan.
        pub operations: Vec<Operation> as Array<Operation, 1, EDIT_OPERATIONS>,
    }
    example = {"operations": [
        {"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Agreed."}]}, "after_id": "title"}
    ]};
}

/// Makes a new plan of both authors, which neither of them can approve. The other plan is discarded.
pub async fn amend(
    command: Command<WriteFiles>,
    Path((id, old)): Path<(FileId, PlanId)>,
    Body(AmendPlan { operations }): Body<AmendPlan>,
) -> Result<Answer<NewPlanAnswer>, Error> {
    let random = command.context.random.clone();
    let new = PlanId::from_bytes(random.bytes16());
    let sent = SentOperations::new(operations);
    // The hash includes who amends: the same edits by somebody else are another amendment.
    let author_key = author::key(&command.by.author.actor);
    let sent_sha256 = hex::encode(Sha256::digest(format!("{old} {author_key} {}", sent.sha256())));
    let links = Arc::clone(&command.by.links);
    let sha256 = sent_sha256.clone();
    let make = move |conn: &mut _, file: &_| amended(conn, file, old, (&sent, &sha256), &links, &random);
    let prepared = PreparedPlan::prepare(&command, id, make).await?;
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let old = store::find_row(conn, id, old)?.ok_or_else(code::not_found)?;
            old.check_alone(&by.links)?;
            rules::check(conn, by, &old, Step::Amend)?;
            let sent_again = SentAgain::Derivation(old.id);
            let same = store::open_for(conn, &file, &old.author_key, &sent_sha256, sent_again, by.at)?;
            // A retry with another key meets the plan that the first call has discarded.
            if old.state != StoredState::Discarded || same.is_none() {
                old.check_open(&by.links, &file)?;
                old.check_not_returned(&by.links)?;
                old.check_not_expired(by.at, &by.links, &file)?;
            }
            precondition::check_state(&file, FileState::Active, &by.links)?;
            if let Some(same) = same {
                return made::join(by, &file, same);
            }
            let proposal = prepared.for_state(conn, &file)?;
            let plan = derived(proposal.plan(new, by), &old, DerivedBy::Amendment, by);
            let mut lineage: Lineage = plan.lineage.0.clone();
            if !lineage.co_authors.iter().any(|other| by.author.is(&other.actor)) {
                let (actor, subject) = (by.author.actor.clone(), by.author.subject.clone());
                lineage.co_authors.push(CoAuthor { actor, subject });
            }
            // Without a review: the reviewer may write, so he may apply it. An agent asks for a review again.
            supersede(conn, by, old, plan.id)?;
            made::store_new(conn, by, &file, (Plan { lineage: Json(lineage), ..plan }, &proposal))
        })
        .await
}

fn amended(
    conn: &mut Conn,
    file: &File,
    old: PlanId,
    (sent, sent_sha256): (&SentOperations, &str),
    links: &FileLinks,
    random: &Random,
) -> Result<NewPlan, Error> {
    let old = store::find_row(conn, file.id, old)?.ok_or_else(code::not_found)?;
    old.check_current(links, file)?;
    let made = of_kind!(file.kind, C => amended_as::<C>(conn, file, &old, sent, random)?);
    let made = made.ok_or_else(|| Failure::fault("a plan for a file without content"))?;
    Ok(NewPlan { sent_sha256: sent_sha256.to_owned(), ..made })
}

fn amended_as<C: Content>(
    conn: &mut Conn,
    file: &File,
    old: &Plan,
    sent: &SentOperations,
    random: &Random,
) -> Result<NewPlan, Error> {
    let mut operations = operation::stored::<C>(&store::operations(conn, old.id)?)?;
    let first = operations.len();
    operations.extend(sent.read::<C>(random)?);
    if operations.len() > EDIT_OPERATIONS {
        let rule = format!("must leave at most {EDIT_OPERATIONS} in all; the plan has {first}");
        let problem = Problem { at: "/operations".to_owned(), rule };
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![problem]).into());
    }
    // Problems name the operations as the caller has sent them.
    NewPlan::make::<C>(conn, file, &operations, String::new()).map_err(|error| renumbered(error, first))
}

/// The refusal with the indices of the operations that were sent: the plan's own come before them.
fn renumbered(error: Error, first: usize) -> Error {
    let Error::Refused(refusal) = error else { return error };
    match &refusal.next {
        Some(NextAction::CorrectRequest { problems }) => {
            let problems = problems.iter().map(|problem| Problem {
                at: sent_at(&problem.at, first).unwrap_or_else(|| problem.at.clone()),
                rule: problem.rule.clone(),
            });
            Refusal::problems(refusal.code, problems.collect()).into()
        }
        _ => Error::Refused(refusal),
    }
}

fn sent_at(at: &str, first: usize) -> Option<String> {
    let rest = at.strip_prefix("/operations/")?;
    let (index, within) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let index = index.parse::<usize>().ok()?.checked_sub(first)?;
    Some(format!("/operations/{index}{within}"))
}
