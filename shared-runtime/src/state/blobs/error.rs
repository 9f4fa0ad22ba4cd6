//! What is said when the store does not do as it is asked.

use object_store::Error;
use shared_model::Failure;

/// The store could not do this.
pub(super) fn failed(what: &str, error: Error) -> Failure {
    Failure::unavailable(format!("the blob store could not {what}")).from_source(error)
}

/// There is no store.
pub(super) fn nowhere() -> Failure {
    Failure::fault("BLOB_STORE is not set, and beside PostgreSQL there is no place of itself for blobs")
}
