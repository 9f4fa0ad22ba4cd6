//! The id of one request, in its answer and in every log line about it.

shared_model::hex_ids! {
    /// The id of one request. Unique, not secret.
    pub struct RequestId = "req";
}

impl RequestId {
    /// A fresh id.
    pub fn random() -> Self {
        Self::from_bytes(rand::random())
    }
}
