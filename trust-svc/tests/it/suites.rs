//! The suites that each service must pass.

use std::cell::Cell;

use shared_runtime::context::settings::Role;
use shared_testing::{
    OperationFixture, Stage, authorization,
    crashes::{self, Unkeyed},
    hostile, reference, tools,
};

use crate::{
    log_reader::LOG,
    test_signer::{TestSigner, hash, listed, market_id},
};

async fn fixtures(stage: &Stage) -> Vec<OperationFixture> {
    let signer = TestSigner::registered(stage, "press-1").await;
    let event = listed(0, stage.now());
    signer.publish(&event).await.status(200);
    let event_path = format!("/wp-json/service-trust/v1/events/{}", hash(&event));
    let market_path = format!("/wp-json/service-trust/v1/markets/{}", market_id(0));
    let (clock, number) = (stage.clock.clone(), Cell::new(1));
    vec![
        // Another market each time, because an event can be published only once.
        OperationFixture::of("publish_event", move |_| {
            signer.publish(&listed(number.replace(number.get() + 1), clock.now()))
        }),
        OperationFixture::of("read_event", move |caller| caller.get(event_path.clone())),
        OperationFixture::of("read_market", move |caller| caller.get(market_path.clone())),
        OperationFixture::of("list_signers", |caller| caller.get("/wp-json/service-trust/v1/signers")),
        OperationFixture::of("read_checkpoint", |caller| caller.get(format!("{LOG}/checkpoint"))),
        OperationFixture::of("read_log_key", |caller| caller.get(format!("{LOG}/key"))),
        OperationFixture::of("read_audit", |caller| caller.get(format!("{LOG}/audit"))),
        OperationFixture::of("read_tile", |caller| caller.get(format!("{LOG}/tile/entries/000.p/1"))),
        OperationFixture::of("prove_inclusion", |caller| {
            caller.get(format!("{LOG}/proof/inclusion?index=0&tree_size=1"))
        }),
        OperationFixture::of("prove_consistency", |caller| {
            caller.get(format!("{LOG}/proof/consistency?first=0&second=1"))
        }),
    ]
}

#[shared_testing::test]
async fn every_operation_is_for_everyone() {
    let stage = Stage::of(trust_svc::service()).await;
    let fixtures = fixtures(&stage).await;
    authorization::suite(&stage, &stage.anyone(), &stage.anyone(), &fixtures).await;
}

#[shared_testing::test]
async fn hostile_requests_get_their_typed_error() {
    let stage = Stage::of(trust_svc::service()).await;
    let fixtures = fixtures(&stage).await;
    hostile::suite(&stage, &stage.anyone(), &fixtures).await;
}

#[shared_testing::test]
async fn an_event_whose_publication_fails_anywhere_is_in_the_log_once_or_not_at_all() {
    // Without jobs, which could change rows meanwhile.
    let stage = Stage::of(trust_svc::service()).settings(|settings| settings.role = Role::Api).await;
    let signer = TestSigner::registered(&stage, "crash-publisher").await;
    let body = signer.sign(&listed(0, stage.now()));
    let command = Unkeyed { operation: "publish_event", key: &signer.key_id, record: "events", done: "event_replayed" };
    crashes::suite_without_key(&stage, command, || signer.send(body.clone())).await;
}

#[shared_testing::test]
async fn the_reference_has_all_operations_and_no_broken_links() {
    let stage = Stage::of(trust_svc::service()).await;
    reference::suite(&stage).await;
}

#[shared_testing::test]
async fn every_model_takes_the_tools() {
    let stage = Stage::of(trust_svc::service()).await;
    tools::suite(&stage.anyone()).await;
}

#[test]
fn the_command_line_follows_conventions() {
    shared_testing::command_line::check(env!("CARGO_BIN_EXE_trust-svc"), &trust_svc::service());
}
