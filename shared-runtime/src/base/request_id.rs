//! The id of one request, in its answer and in all its log lines.

shared_model::hex_ids! {
    /// The id of one request. Unique, not secret.
    pub struct RequestId = "req";
}

impl RequestId {
    pub fn random() -> Self {
        Self::from_bytes(rand::random())
    }
}
