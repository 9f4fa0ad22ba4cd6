//! The log of this service, as its witnesses see it.

use std::sync::Arc;

use shared_model::Error;
use shared_runtime::Context;
use trust_log::{
    merkle::Hash,
    tlog::{NoteSigner, SignedCheckpoint},
};

use super::{head::read_head, position::LogTree, proven};
use crate::cosigning::WitnessedLog;

#[derive(Clone)]
pub struct OwnLog {
    pub context: Context,
    pub signer: Arc<NoteSigner>,
}

impl WitnessedLog for OwnLog {
    async fn latest(&self) -> Result<SignedCheckpoint, Error> {
        let head = self.context.read(|conn| Ok(read_head(conn)?)).await?;
        Ok(LogTree::new(head.size(), head.root).checkpoint(&self.signer)?.clone())
    }

    async fn consistency(&self, first: u64, second: u64) -> Result<Vec<Hash>, Error> {
        self.context.read(move |conn| Ok(proven::consistency(conn, first, second)?.hashes)).await
    }
}
