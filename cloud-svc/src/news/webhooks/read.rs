//! `GET /v1/webhooks/{webhook_id}`: a webhook of the grant.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path};

use super::{store, webhook::WebhookAnswer};
use crate::base::{author::Author, ids::WebhookId, permissions::SeeWebhooks};

pub async fn read(
    caller: Caller<SeeWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    context: Context,
) -> Result<Answer<WebhookAnswer>, Error> {
    let author = Author::from_identity(&caller)?;
    let webhook = context.look_up(move |conn| Ok(store::find(conn, &author, id)?.ok_or_else(code::not_found)?)).await?;
    Ok(WebhookAnswer::ok(webhook)?)
}
