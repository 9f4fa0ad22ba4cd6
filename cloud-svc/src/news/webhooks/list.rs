//! `GET /v1/webhooks`: the webhooks of the grant.

use serde::{Deserialize, Serialize};
use shared_model::Error;
use shared_runtime::{Answer, Caller, Context};
use utoipa::ToSchema;

use super::{store, webhook::WebhookRecord};
use crate::base::{author::Author, permissions::SeeWebhooks};

/// The webhooks of the grant, without revoked ones.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct WebhookList {
    /// Newest first.
    #[schema(max_items = 10)]
    pub webhooks: Vec<WebhookRecord>,
}

pub async fn list(caller: Caller<SeeWebhooks>, context: Context) -> Result<Answer<WebhookList>, Error> {
    let author = Author::from_identity(&caller)?;
    let webhooks = context.read(move |conn| Ok(store::list(conn, &author)?)).await?;
    Ok(Answer::ok(&WebhookList { webhooks: webhooks.into_iter().map(WebhookRecord::from).collect() })?)
}
