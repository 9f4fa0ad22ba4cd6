//! The log as its witnesses see it.

use std::sync::Arc;

use shared_model::Error;
use shared_runtime::Context;

use super::{head, place::Tree, store};
use crate::{
    cosigning::WitnessedLog,
    merkle::{Hash, prove},
    tlog::{NoteSigner, SignedCheckpoint},
};

/// The log of the service's database.
#[derive(Clone)]
pub struct OwnLog {
    /// The state of the service.
    pub context: Context,
    /// Signs its checkpoints.
    pub signer: Arc<NoteSigner>,
}

impl WitnessedLog for OwnLog {
    async fn latest(&self) -> Result<SignedCheckpoint, Error> {
        let head = self.context.read(|conn| Ok(head::read(conn)?)).await?;
        Ok(Tree::new(head.size(), head.root).checkpoint(&self.signer)?.clone())
    }

    async fn consistency(&self, first: u64, second: u64) -> Result<Vec<Hash>, Error> {
        let prove = move |conn: &mut _| {
            let read = |ranges: &[prove::HashRange]| store::hashes(conn, ranges);
            Ok(prove::consistency(first, second, read).map_err(store::unproven)?)
        };
        self.context.read(prove).await
    }
}
