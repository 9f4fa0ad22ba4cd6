//! How the verbs that make a plan answer: propose, rebase, revise, amend, split.

use shared_model::Error;
use shared_runtime::{Answer, Conn};

use super::{
    new_plan::NewPlan,
    plan::Plan,
    record::{NewPlanAnswer, PlanRecord},
    store,
};
use crate::{files::file::File, workspace::command::ChangeContext};

/// Stores a new plan, and answers with it.
pub fn store_new(
    conn: &mut Conn,
    by: &ChangeContext,
    file: &File,
    (plan, proposal): (Plan, &NewPlan),
) -> Result<Answer<NewPlanAnswer>, Error> {
    let plan = store::insert(conn, by, plan, proposal)?;
    let record = PlanRecord::new(plan, &proposal.preview, file, &by.links, by.at)?;
    Ok(NewPlanAnswer::ok(record, false)?)
}

/// Answers with the open plan that has the same edits.
pub fn join(by: &ChangeContext, file: &File, (plan, preview): (Plan, String)) -> Result<Answer<NewPlanAnswer>, Error> {
    let record = PlanRecord::new(plan, &preview, file, &by.links, by.at)?;
    Ok(NewPlanAnswer::ok(record, true)?)
}
