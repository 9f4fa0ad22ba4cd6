//! The migrations create the tables that diesel uses.

use shared_testing::{Stage, tables::assert_same_columns};

#[shared_testing::test]
async fn diesel_and_the_database_have_the_same_columns() {
    let stage = Stage::of(trust_svc::service()).await;
    let (own, shared) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/src"), concat!(env!("CARGO_MANIFEST_DIR"), "/../shared-runtime/src"));
    assert_same_columns(&stage, &[own, shared]).await;
}
