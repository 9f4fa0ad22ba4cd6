//! `GET /v1/files/{file_id}/edit-plans/{plan_id}`: reads a plan in any state; with `wait_seconds`, it waits for a verdict.

use std::time::Duration;

use shared_model::{Error, code};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, LongPoll, Params, Path, Query, State, http::contract::QueryParameter,
};
use tokio::time::Instant;

use super::{
    plan::{Plan, PlanState},
    record::{PlanAnswer, PlanRecord},
    store,
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        limits::VERDICT_WAIT_SECONDS,
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{self, file::File},
    workspace::followers::Followers,
};

/// How long to wait for a verdict.
#[derive(Clone, Copy, Debug)]
pub struct WaitForVerdict(Duration);

impl FromQuery for WaitForVerdict {
    const IS_LIST: bool = false;

    fn describe() -> Vec<QueryParameter> {
        let wait = "How long to wait while the plan is in review.";
        vec![QueryParameter::integer("wait_seconds", 0, VERDICT_WAIT_SECONDS.cast_signed(), wait).example(0)]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let seconds = params.integer("wait_seconds", 0, VERDICT_WAIT_SECONDS.cast_signed())?;
        Some(Self(Duration::from_secs(seconds.map_or(0, i64::unsigned_abs))))
    }
}

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((file, id)): Path<(FileId, PlanId)>,
    Query(WaitForVerdict(wait)): Query<WaitForVerdict>,
    context: Context,
    State(links): State<FileLinks>,
    State(followers): State<Followers>,
    poll: LongPoll,
) -> Result<Answer<PlanAnswer>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let until = Instant::now() + wait;
    let waiting = if wait.is_zero() { None } else { Some(poll.begin()?) };
    // Before the first look: otherwise a verdict between the look and the wait would be missed.
    let follower = waiting.as_ref().and_then(|waiting| Some((followers.follow(owner.workspace())?, waiting)));
    if let Some((mut follower, waiting)) = follower {
        while context.readiness.is_on()
            && state(&context, owner, file, id).await? == PlanState::InReview
            && follower.has_news(until, waiting).await
        {}
    }
    let (file, plan, preview) = find(&context, owner, file, id).await?;
    Ok(PlanAnswer::ok(PlanRecord::new(plan, &preview, &file, &links, context.clock.now())?)?)
}

/// Reads only the state: each commit wakes all waiting reads, and previews may be megabytes.
async fn state(context: &Context, owner: Owner, file: FileId, id: PlanId) -> Result<PlanState, Error> {
    let found = context.look_up(move |conn| {
        let file = files::store::find(conn, owner, file)?.ok_or_else(code::not_found)?;
        Ok(store::find_row(conn, file.id, id)?.ok_or_else(code::not_found)?)
    });
    Ok(found.await?.state(context.clock.now()))
}

async fn find(context: &Context, owner: Owner, file: FileId, id: PlanId) -> Result<(File, Plan, String), Error> {
    let found = context.look_up(move |conn| {
        let file = files::store::find(conn, owner, file)?.ok_or_else(code::not_found)?;
        let (plan, preview) = store::find(conn, file.id, id)?.ok_or_else(code::not_found)?;
        Ok((file, plan, preview))
    });
    found.await
}
