//! `GET /v1/webhooks/{webhook_id}/deliveries`: the deliveries to a webhook, newest first.

use serde::{Deserialize, Serialize};
use shared_model::{Cursor, Error, code};
use shared_runtime::{
    Answer, Caller, Context, FromQuery, Params, Path, Query,
    http::{contract::QueryParameter, list::Page},
};
use utoipa::ToSchema;

use super::deliveries::{
    delivery::{DeliveryRecord, DeliveryStatus},
    store,
};
use crate::{
    base::{author::Author, ids::WebhookId, permissions::SeeWebhooks},
    news::webhooks,
};

#[derive(Serialize, Deserialize, ToSchema)]
pub struct DeliveryList {
    /// Newest first.
    #[schema(max_items = 100)]
    pub items: Vec<DeliveryRecord>,
    /// The cursor of the next page; null on the last page.
    #[schema(required, example = json!(null))]
    pub next_cursor: Option<String>,
    /// Whether a next page exists.
    pub has_more: bool,
}

#[derive(Debug)]
pub struct ListDeliveries {
    status: Option<DeliveryStatus>,
    page: Page,
}

impl FromQuery for ListDeliveries {
    const IS_LIST: bool = true;

    fn describe() -> Vec<QueryParameter> {
        let status = QueryParameter::one_of("status", DeliveryStatus::ALL, "Only deliveries in this state.");
        std::iter::once(status).chain(Page::describe()).collect()
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let status = params.one_of("status", DeliveryStatus::ALL);
        let page = Page::from_query(params);
        Some(Self { status: status?, page: page? })
    }
}

pub async fn list(
    caller: Caller<SeeWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Query(ListDeliveries { status, page }): Query<ListDeliveries>,
    context: Context,
) -> Result<Answer<DeliveryList>, Error> {
    let (author, now) = (Author::from_identity(&caller)?, context.clock.now());
    let filters = format!("{id} {}", status.map_or("", DeliveryStatus::as_str));
    let cursors = Cursor::for_list(&context.secret, "list_webhook_deliveries", &author.workspace.to_string(), &filters);
    let (after, rows) = (page.position(&cursors, now)?, page.rows());
    let found = context.read(move |conn| {
        // Deliveries are queried by webhook only, so this checks the grant.
        let webhook = webhooks::store::find(conn, &author, id)?.ok_or_else(code::not_found)?;
        let cancelled = webhooks::store::cancelled(conn, &webhook)?;
        Ok(store::list(conn, id, cancelled, status, after, rows)?)
    });
    let (items, has_more) = page.cut(found.await?);
    let next_cursor = items.last().filter(|_| has_more).map(|last| cursors.encode(&last.id.to_string(), now));
    Ok(Answer::ok(&DeliveryList { items, next_cursor, has_more })?)
}
