//! Requests that no client of good will sends.

use shared_testing::{Stage, hostile};

use crate::fixtures::fixtures;

#[shared_testing::test]
async fn hostile_requests_get_typed_errors() {
    let stage = Stage::of(cloud_svc::service()).await;
    let ada = stage.caller("ada");
    hostile::suite(&stage, &ada, &fixtures(&ada).await).await;
}
