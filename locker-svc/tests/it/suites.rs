//! The suites that every operation of the locker passes.

use locker_svc::{downloads::grant::Grant, exports::Export, service};
use shared_testing::{Play, Stage, Text as _, authorization, hostile, run};

use crate::{exports, samples};

async fn plays(stage: &Stage, export: &Export) -> Vec<Play> {
    let test = |room: &str| format!("/api/v1/rooms/{room}/onboarding/model-test");
    let accepted = stage.caller("ada").post(test(&samples::id("room", 2))).fresh_key().await.status(202);
    let operation = accepted["data"]["operation_id"].text().to_owned();
    let (desk, linked) = (stage.desk.clone(), export.clone());
    let missing = samples::id("exp", 99);
    vec![
        Play::on("list_export_parts", export.id.to_string(), &missing, |caller, id| {
            caller.get(format!("/api/v1/exports/{id}/parts"))
        }),
        Play::on("get_export_manifest", export.id.to_string(), &missing, |caller, id| {
            caller.get(format!("/api/v1/exports/{id}/manifest"))
        }),
        Play::of("download_part", move |caller| {
            caller.get(Grant::new(&desk, &linked, 0, "grant-of-ada", desk.clock.now()).path(&desk))
        })
        .unknown_is("grant_invalid"),
        Play::of("get_catalogue", |caller| caller.get("/api/v1/catalogue")),
        Play::of("list_subscriptions", |caller| caller.get("/api/v1/billing/subscriptions")),
        Play::on("queue_model_test", samples::id("room", 1), samples::id("room", 9), move |caller, id| {
            caller.post(test(id)).fresh_key()
        }),
        Play::on("read_operation", operation, samples::id("op", 9), |caller, id| {
            caller.get(format!("/api/v1/operations/{id}"))
        }),
        Play::of("read_command", |caller| caller.get("/api/v1/idempotency/k")).taking_any_text(),
    ]
}

async fn stage() -> (Stage, Vec<Play>) {
    let stage = Stage::of(service()).await;
    samples::attest(&stage).await;
    let nowhere = "https://192.0.2.1/v1";
    let lines = [
        samples::catalogue_line(&samples::catalogue()),
        samples::room("ada", 1, 1, nowhere),
        samples::room("ada", 2, 1, nowhere),
        samples::subscription("ada", 1, 0),
    ];
    samples::import(&stage, &lines).await.expect("good lines");
    let export = exports::export(&stage, 1, b"what there is to export", 1 << 20).await;
    let plays = plays(&stage, &export).await;
    (stage, plays)
}

#[test]
fn nobody_gets_in_without_the_right_token() {
    run(async {
        let (stage, plays) = stage().await;
        authorization::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &plays).await;
    });
}

#[test]
fn hostile_requests_get_typed_errors() {
    run(async {
        let (stage, plays) = stage().await;
        hostile::suite(&stage, &stage.caller("ada"), &plays).await;
    });
}
