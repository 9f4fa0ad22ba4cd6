//! The suites that every operation of the locker passes.

use locker_svc::{
    catalogue::{self, Catalogue},
    service,
};
use shared_testing::{Play, Stage, authorization, hostile, run};

use crate::samples;

fn plays() -> Vec<Play> {
    vec![
        Play::of("get_catalogue", |caller| caller.get("/api/v1/catalogue")),
        Play::of("list_subscriptions", |caller| caller.get("/api/v1/billing/subscriptions")),
    ]
}

async fn stage() -> Stage {
    let stage = Stage::of(service()).await;
    let snapshot = Catalogue::parse(samples::catalogue().to_string().as_bytes()).expect("a valid snapshot");
    catalogue::import(&stage.desk, snapshot).await.expect("the import runs");
    samples::import(&stage, &[samples::subscription("ada", 1, 0)]).await;
    stage
}

#[test]
fn nobody_gets_in_without_the_right_token() {
    run(async {
        let stage = stage().await;
        authorization::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &plays()).await;
    });
}

#[test]
fn hostile_requests_get_typed_errors() {
    run(async {
        let stage = stage().await;
        hostile::suite(&stage, &stage.caller("ada"), &plays()).await;
    });
}
