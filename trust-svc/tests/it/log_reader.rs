//! Checks the log with its key and nothing else that the service claims.

use serde_json::Value;
use shared_testing::{Caller, Stage, Text as _};
use trust_log::{
    canonical,
    tlog::{Checkpoint, Policy, Receipt, SignedCheckpoint, VerifierKey, verify_checkpoint, verify_receipt},
};

/// The URL of the log.
pub const LOG: &str = "/wp-json/service-trust/v1/log";

/// A person who has saved the log's key.
pub struct LogReader {
    policy: Policy,
    pub key: VerifierKey,
    caller: Caller,
}

impl LogReader {
    /// Reads the key.
    pub async fn of(stage: &Stage) -> Self {
        Self::by(stage.anyone()).await
    }

    /// Reads the key with this caller.
    pub async fn by(caller: Caller) -> Self {
        let key: VerifierKey =
            caller.get(format!("{LOG}/key")).await.status(200).body().trim_end().parse().expect("a key");
        Self { policy: Policy::new(key.clone(), Vec::new(), 0).expect("a log's key"), key, caller }
    }

    /// The current checkpoint, with a valid signature.
    pub async fn checkpoint(&self) -> Checkpoint {
        let text = self.caller.get(format!("{LOG}/checkpoint")).await.status(200).body();
        self.verified(&text)
    }

    /// A checkpoint, with a valid signature.
    pub fn verified(&self, text: &str) -> Checkpoint {
        let signed = SignedCheckpoint::parse(text.as_bytes()).expect("a checkpoint");
        verify_checkpoint(&signed, &self.policy).expect("signed by the log");
        signed.checkpoint().clone()
    }

    /// Checks a receipt for a body; returns the index and the size of the log.
    pub fn proven(&self, receipt: &Value, body: &Value) -> (u64, u64) {
        let receipt = Receipt::parse(receipt.text().as_bytes()).expect("a receipt");
        let entry = canonical::value_text(body);
        let proven = verify_receipt(&receipt, entry.as_bytes(), &self.policy).unwrap_or_else(|why| panic!("{why}"));
        (proven.index, proven.checkpoint.size())
    }
}
