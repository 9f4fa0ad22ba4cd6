//! The second check of a grant, for a request that has taken its time.

use std::sync::Arc;

use actix_web::HttpRequest;
use shared_model::Error;

use super::resource_for_host;
use crate::{context::Context, identity::Identity};

// A body can arrive for minutes and a read can wait for news. A grant that ends meanwhile must not act or learn
// anything: it is refused as if the request had come later.
#[derive(Clone)]
pub(crate) struct GrantCheck {
    context: Context,
    http: HttpRequest,
    identity: Arc<Identity>,
}

impl GrantCheck {
    pub fn new(context: &Context, http: &HttpRequest, identity: &Arc<Identity>) -> Self {
        Self { context: context.clone(), http: http.clone(), identity: Arc::clone(identity) }
    }

    /// 401 if the grant has been revoked or the token has expired since it was authenticated.
    pub async fn run(&self) -> Result<(), Error> {
        let challenge = resource_for_host::challenge(&self.context, &self.http);
        self.context.verifier.check_again(&self.identity, challenge).await
    }
}
