//! `GET /v1/proposals`: the proposals of the workspace, newest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, Timestamp};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Query,
    http::{
        contract::QueryParameter,
        list::{Page, Position},
    },
    identity::Actor,
};
use utoipa::ToSchema;

use super::{members, proposal::ProposalState};
use crate::base::{author::Author, ids::ProposalId, owner::Owner, permissions::ReadFiles};

/// A proposal without its plans.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ListedProposal {
    pub id: ProposalId,
    /// Untrusted.
    #[schema(max_length = 200, example = "New prices")]
    pub title: String,
    pub state: ProposalState,
    /// Who put the plans together.
    pub actor: Actor,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProposalList {
    #[schema(max_items = 100)]
    pub items: Vec<ListedProposal>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
    /// Always true: titles do not come from the service.
    pub content_is_untrusted: bool,
}

#[derive(Debug)]
pub struct ListProposals {
    state: Option<ProposalState>,
    page: Page,
}

impl FromQuery for ListProposals {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let state = QueryParameter::one_of("state", ProposalState::ALL, "Only proposals in this state.");
        [state].into_iter().chain(Page::describe()).collect()
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let state = params.one_of("state", ProposalState::ALL);
        let page = Page::from_query(params);
        Some(Self { state: state?, page: page? })
    }
}

pub async fn list(
    caller: Caller<ReadFiles>,
    Query(ListProposals { state, page }): Query<ListProposals>,
    context: Context,
) -> Result<Answer<ProposalList>, Error> {
    let (owner, author) = (Owner::of_caller(&caller)?, Author::from_identity(&caller)?);
    let now = context.clock.now();
    let filters = state.map_or("", ProposalState::as_str);
    let cursors = Cursor::for_list(&context.secret, "list_proposals", &owner.workspace().to_string(), filters);
    let (start, rows) = (page.start::<ProposalId>(&cursors, now)?, page.rows());
    let found = context.read(move |conn| Ok(members::list(conn, owner, &author, state, start, rows)?)).await?;
    let (found, has_more) = page.cut(found);
    let last = found.last().filter(|_| has_more).map(|last| Position::after(last.created_at, last.id));
    // Without plans: a hundred proposals may have five thousand.
    let items = found.into_iter().map(|proposal| ListedProposal {
        id: proposal.id,
        title: proposal.title,
        state: proposal.state,
        actor: proposal.actor.0,
        created_at: proposal.created_at,
        expires_at: proposal.expires_at,
    });
    let next_cursor = last.map(|last| cursors.encode(&last.to_string(), now));
    let items = items.collect();
    Ok(Answer::ok(&ProposalList { items, next_cursor, has_more, content_is_untrusted: true })?)
}
