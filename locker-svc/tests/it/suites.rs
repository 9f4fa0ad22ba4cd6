//! The suites that every operation of the locker passes.

use locker_svc::{
    exports::{Export, link::SignedLink},
    service,
};
use shared_runtime::context::settings::Role;
use shared_testing::{
    OperationFixture, PageFixture, Stage, Text as _, authorization, crashes, hostile, reference, tools,
};

use crate::{exports, samples};

async fn fixtures(stage: &Stage, export: &Export) -> Vec<OperationFixture> {
    let test = |room: &str| format!("/api/v1/rooms/{room}/onboarding/model-test");
    let accepted = stage.caller("ada").post(test(&samples::id("room", 2))).fresh_key().await.status(202);
    let operation = accepted["data"]["operation_id"].text().to_owned();
    let link_id = samples::id("dg", 1).parse().expect("an id");
    let (context, linked) = (stage.context.clone(), export.clone());
    let missing = samples::id("exp", 99);
    vec![
        OperationFixture::on("list_export_parts", export.id.to_string(), &missing, |caller, id| {
            caller.get(format!("/api/v1/exports/{id}/parts"))
        }),
        OperationFixture::on("get_export_manifest", export.id.to_string(), &missing, |caller, id| {
            caller.get(format!("/api/v1/exports/{id}/manifest"))
        }),
        OperationFixture::of("download_part", move |caller| {
            let link = SignedLink::new(link_id, &linked, 0, "grant-of-ada", context.clock.now());
            caller.get(link.path(&context.secret))
        })
        .unknown_is("grant_invalid"),
        OperationFixture::of("get_catalogue", |caller| caller.get("/api/v1/catalogue")),
        OperationFixture::of("list_subscriptions", |caller| caller.get("/api/v1/billing/subscriptions")),
        OperationFixture::on("queue_model_test", samples::id("room", 1), samples::id("room", 9), move |caller, id| {
            caller.post(test(id)).fresh_key()
        }),
        OperationFixture::on("read_operation", operation, samples::id("op", 9), |caller, id| {
            caller.get(format!("/api/v1/operations/{id}"))
        }),
        OperationFixture::of("read_command", |caller| caller.get("/api/v1/idempotency/k")).taking_any_text(),
    ]
}

async fn stage() -> (Stage, Vec<OperationFixture>) {
    stage_of(Role::All).await
}

async fn stage_of(role: Role) -> (Stage, Vec<OperationFixture>) {
    let stage = Stage::of(service()).settings(|settings| settings.role = role).await;
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
    let fixtures = fixtures(&stage, &export).await;
    (stage, fixtures)
}

#[shared_testing::test]
async fn nobody_gets_in_without_the_right_token() {
    // Without jobs, which would change rows meanwhile.
    let (stage, fixtures) = stage_of(Role::Api).await;
    authorization::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &fixtures).await;
}

#[shared_testing::test]
async fn no_page_shows_the_export_of_somebody_else() {
    let stage = exports::stage().await;
    let export = exports::export(&stage, 1, b"what there is to export", 1 << 20).await.id.to_string();
    let missing = samples::id("exp", 99);
    let pages = [
        PageFixture::of("rooms_page", "/rooms"),
        PageFixture::on("export_page", &export, &missing, "/exports/{}"),
        PageFixture::on("export_part_page", &export, &missing, "/exports/{}/parts/0"),
    ];
    authorization::pages::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &pages).await;
}

#[shared_testing::test]
async fn commands_that_fail_anywhere_happen_once_or_not_at_all() {
    // Without jobs, which would change rows meanwhile.
    let (stage, fixtures) = stage_of(Role::Api).await;
    crashes::suite(&stage, &stage.caller("ada"), &fixtures, &["grants"]).await;
}

#[shared_testing::test]
async fn hostile_requests_get_typed_errors() {
    let (stage, fixtures) = stage().await;
    hostile::suite(&stage, &stage.caller("ada"), &fixtures).await;
}

#[shared_testing::test]
async fn the_reference_shows_every_operation_and_has_no_broken_link() {
    let stage = Stage::of(service()).await;
    reference::suite(&stage).await;
}

#[shared_testing::test]
async fn every_model_takes_the_tools() {
    let stage = Stage::of(locker_svc::service()).await;
    tools::suite(&stage.caller("ada")).await;
}

#[test]
fn the_command_line_is_as_a_person_expects() {
    shared_testing::command_line::check(env!("CARGO_BIN_EXE_locker-svc"), &locker_svc::service());
}
