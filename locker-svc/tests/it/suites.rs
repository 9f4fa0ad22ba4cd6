//! The suites that every operation of the locker passes.

use locker_svc::service;
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
    let lines = [samples::catalogue_line(&samples::catalogue()), samples::subscription("ada", 1, 0)];
    samples::import(&stage, &lines).await.expect("good lines");
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
