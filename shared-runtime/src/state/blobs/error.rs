//! Failures of the blob store.

use object_store::Error;
use shared_model::Failure;

pub(super) fn failed(what: &str, error: Error) -> Failure {
    Failure::unavailable(format!("the blob store could not {what}")).from_source(error)
}

pub(super) fn not_configured() -> Failure {
    Failure::fault("BLOB_STORE is not set; with PostgreSQL it has no default")
}
