//! Who may do what: every operation of the OpenAPI document, and everyone who must not pass.

use shared_testing::{Stage, authorization};

use crate::fixtures::fixtures;

#[shared_testing::test]
async fn nobody_passes_without_a_right() {
    let stage = Stage::of(cloud_svc::service()).await;
    let (ada, bob) = (stage.caller("ada").workspace(1), stage.caller("bob").workspace(2));
    authorization::suite(&stage, &ada, &bob, &fixtures(&ada).await).await;
}

#[shared_testing::test]
async fn a_token_of_this_surface_names_a_workspace_and_an_actor() {
    let stage = Stage::of(cloud_svc::service()).await;
    for claim in ["workspace_id", "actor"] {
        let caller = stage.caller("ada").without_claim(claim);
        caller.get("/v1/workspaces").await.refused(401, "invalid_token");
    }
}
