//! `GET /v1/edit-plans`: the open plans of the workspace, newest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Failure};
use shared_runtime::{
    Answer, Caller, Conn, Context, FromQuery, Params, Query, State,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::{
    lineage::Lineage,
    open_plans::{PlanPage, listed, page_of},
    record::PlanRecord,
    rules,
    store::{Authors, OpenPlans},
};
use crate::{
    base::{
        author::{self, Author},
        ids::PlanId,
        links::FileLinks,
        owner::Owner,
        permissions::{APPROVE, ReadFiles},
        plan_state::{OPEN, StoredState},
    },
    workspace::agents,
};

shared_model::text_enum! {
    /// Whose plans.
    pub enum For {
        /// Those in review that the caller may approve or reject.
        Me = "me",
        /// Those with edits of the caller.
        Mine = "mine",
        All = "all",
    }
}

/// The open plans of a workspace.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct WorkspacePlanList {
    /// Newest first, without their `changes`, with `file_name` and `file_type`.
    #[schema(max_items = 100)]
    pub items: Vec<PlanRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: plans quote the content.
    pub content_is_untrusted: bool,
}

#[derive(Debug)]
pub struct ListPlans {
    state: Option<StoredState>,
    whose: For,
    page: Page,
}

impl FromQuery for ListPlans {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let mut parameters = vec![
            QueryParameter::one_of("state", &open_states(), "Only plans in this state."),
            QueryParameter::one_of(
                "for",
                For::ALL,
                "`me`: plans in review that you may approve or reject; `mine`: those with edits of yours; `all` when absent.",
            ),
        ];
        parameters.extend(Page::describe());
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let state = params.one_of("state", &open_states());
        let whose = params.one_of("for", For::ALL);
        let page = Page::from_query(params);
        Some(Self { state: state?, whose: whose?.unwrap_or(For::All), page: page? })
    }
}

/// The words for the states in which a plan can be decided about.
fn open_states() -> [(&'static str, StoredState); 4] {
    OPEN.map(|state| (state.as_str(), state))
}

// Plans for files in the trash, or inside a trashed folder, are left out: nobody can decide about them.
pub async fn list(
    caller: Caller<ReadFiles>,
    Query(ListPlans { state, whose, page }): Query<ListPlans>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<WorkspacePlanList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let author = Author::from_identity(&caller)?;
    let actor = &author.actor;
    let now = context.clock.now();
    let author_key = author::key(actor);
    let states = match state {
        Some(state) => [state; 4],
        // Only a review can be decided.
        None if whose == For::Me => [StoredState::InReview; 4],
        None => OPEN,
    };
    let authors = match whose {
        For::All => Authors::ALL,
        For::Mine => Authors::OWN,
        For::Me if states != [StoredState::InReview; 4] => Authors::NOBODY,
        For::Me => {
            Authors { own: rules::may_decide(&caller, actor, true), others: rules::may_decide(&caller, actor, false) }
        }
    };
    let filters = format!("{author_key} {} {}", whose.as_str(), state.map_or("", StoredState::as_str));
    let cursors = Cursor::for_list(&context.secret, "list_workspace_plans", &owner.workspace().to_string(), &filters);
    let start = page.start::<PlanId>(&cursors, now)?;
    let co_author = Lineage::naming(actor)?;
    let wanted = OpenPlans { owner, file: None, states, authors, author_key, co_author, now };
    let found = context.read(move |conn| {
        if whose == For::Me && !limits_let_decide(conn, &author)? {
            return Ok(PlanPage { plans: Vec::new(), next: None });
        }
        Ok(page_of(conn, &wanted, &page, start)?)
    });
    let found = found.await?;
    let items = found.plans.into_iter().map(|(plan, preview, file)| {
        let record = listed(plan, &preview, &file, &links, now)?;
        Ok(PlanRecord { file_name: Some(file.name), file_type: Some(file.kind), ..record })
    });
    let items = items.collect::<Result<Vec<_>, Failure>>()?;
    let next_cursor = found.next.map(|next| cursors.encode(&next.to_string(), now));
    let has_more = next_cursor.is_some();
    Ok(Answer::ok(&WorkspacePlanList { items, next_cursor, has_more, content_is_untrusted: true })?)
}

/// Whether the limits of an agent let it decide about plans at all; people have none.
fn limits_let_decide(conn: &mut Conn, author: &Author) -> Result<bool, Error> {
    match agents::check_may(conn, author, APPROVE) {
        Ok(_) => Ok(true),
        Err(Error::Refused(_)) => Ok(false),
        Err(failed) => Err(failed),
    }
}
