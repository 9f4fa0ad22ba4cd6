//! The suites that each service must pass.

use shared_testing::{OperationFixture, PageFixture, Stage, authorization, crashes, hostile, reference, tools};

use crate::samples::{PREFIX, id, order, stage_with, wanted};

fn fixtures() -> Vec<OperationFixture> {
    vec![
        OperationFixture::on("read_order", id(1), id(404), |caller, order| caller.get(format!("{PREFIX}/{order}"))),
        OperationFixture::of("list_orders", |caller| caller.get(PREFIX)),
        OperationFixture::of("create_order", |caller| caller.post(PREFIX).fresh_key().json(wanted())),
        OperationFixture::of("read_command", |caller| caller.get("/wp-json/service-net/v1/idempotency/k"))
            .taking_any_text(),
    ]
}

#[shared_testing::test]
async fn nobody_gets_in_without_the_right_token() {
    let stage = stage_with(&[order("ada", 1), order("bob", 2)]).await;
    authorization::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &fixtures()).await;
}

#[shared_testing::test]
async fn no_page_shows_the_order_of_somebody_else() {
    let stage = stage_with(&[order("ada", 1), order("bob", 2)]).await;
    let pages =
        [PageFixture::of("orders_page", "/orders"), PageFixture::on("order_page", id(1), id(404), "/orders/{}")];
    authorization::pages::suite(&stage, &stage.caller("ada"), &stage.caller("bob"), &pages).await;
}

#[shared_testing::test]
async fn hostile_requests_get_typed_errors() {
    let stage = stage_with(&[order("ada", 1)]).await;
    hostile::suite(&stage, &stage.caller("ada"), &fixtures()).await;
}

#[shared_testing::test]
async fn commands_that_fail_anywhere_happen_once_or_not_at_all() {
    let stage = stage_with(&[order("ada", 1)]).await;
    crashes::suite(&stage, &stage.caller("ada"), &fixtures(), &["grants"]).await;
}

#[shared_testing::test]
async fn the_reference_shows_every_operation_and_has_no_broken_link() {
    let stage = Stage::of(orders_svc::service()).await;
    reference::suite(&stage).await;
}

#[shared_testing::test]
async fn every_model_takes_the_tools() {
    let stage = Stage::of(orders_svc::service()).await;
    tools::suite(&stage.caller("ada")).await;
}

#[test]
fn the_command_line_follows_conventions() {
    shared_testing::command_line::check(env!("CARGO_BIN_EXE_orders-svc"), &orders_svc::service());
}
