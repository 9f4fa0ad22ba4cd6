//! `GET /v1/receipts`: the receipts of the workspace, oldest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Query,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::{
    receipt::Receipt,
    store::{self, Filter},
};
use crate::base::{
    ids::{FileId, PlanId},
    owner::Owner,
    permissions::ReadFiles,
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct ReceiptList {
    /// Oldest first: each names the hash of the one before.
    #[schema(max_items = 100)]
    pub items: Vec<Receipt>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
}

#[derive(Debug)]
pub struct ListReceipts {
    file: Option<FileId>,
    plan: Option<PlanId>,
    page: Page,
}

impl FromQuery for ListReceipts {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let mut parameters = vec![
            QueryParameter::typed::<FileId>("file_id", false, "Only receipts for this file, even if it was purged."),
            QueryParameter::typed::<PlanId>("plan_id", false, "Only receipts for this plan."),
        ];
        parameters.extend(Page::describe());
        parameters
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let file = params.text("file_id").map(str::parse).transpose();
        let file = file.or_else(|rule| params.refuse("file_id", rule).ok_or(())).ok();
        let plan = params.text("plan_id").map(str::parse).transpose();
        let plan = plan.or_else(|rule| params.refuse("plan_id", rule).ok_or(())).ok();
        let page = Page::from_query(params);
        Some(Self { file: file?, plan: plan?, page: page? })
    }
}

pub async fn list(
    caller: Caller<ReadFiles>,
    Query(ListReceipts { file, plan, page }): Query<ListReceipts>,
    context: Context,
) -> Result<Answer<ReceiptList>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    // Part of the cursor, which is for this list alone.
    let filters = format!(
        "{} {}",
        file.map(|file| file.to_string()).unwrap_or_default(),
        plan.map(|plan| plan.to_string()).unwrap_or_default()
    );
    let cursors = Cursor::for_list(&context.secret, "list_receipts", &owner.workspace().to_string(), &filters);
    let (after, rows) = (page.position(&cursors, now)?.unwrap_or(0), page.rows());
    let found = context.read(move |conn| Ok(store::list(conn, Filter { owner, file, plan }, after, rows)?)).await?;
    let (found, has_more) = page.cut(found);
    let last = found.last().filter(|_| has_more);
    let next_cursor = last.map(|(sequence, _)| cursors.encode(&sequence.to_string(), now));
    let items = found.into_iter().map(|(_, receipt)| receipt).collect();
    Ok(Answer::ok(&ReceiptList { items, next_cursor, has_more })?)
}
