//! The signer of this process. Its key is published before it signs.

use std::sync::Arc;

use cloud_receipts::signer::Signer;
use shared_model::{Error, Failure};
use shared_runtime::Context;

use super::store;
use crate::base::receipt_key;

pub async fn signer(context: &Context) -> Result<Arc<Signer>, Failure> {
    let (signer, now) = (Arc::new(receipt_key::signer(context)), context.clock.now());
    let published = Arc::clone(&signer);
    // In the database and not only in this process: after a rotation, old receipts must stay verifiable.
    match context.write(move |conn| Ok(store::record_key(conn, &published, now)?)).await {
        Ok(()) => Ok(signer),
        Err(Error::Failed(failure)) => Err(failure),
        Err(Error::Refused(refusal)) => Err(Failure::fault(refusal.message.into_owned())),
    }
}
