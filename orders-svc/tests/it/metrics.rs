//! What an operator sees in the metrics.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn every_declared_metric_exists_after_a_refusal_and_no_other() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_orders-svc"), orders_svc::service(), &[]).await;
    metrics_table::assert_complete(&process, &orders_svc::service()).await;
}

#[shared_testing::test]
async fn few_series_exist_from_the_start_and_others_appear_with_their_first_request() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_orders-svc"), orders_svc::service(), &[]).await;
    metrics_table::assert_few_at_start(&process, &orders_svc::service()).await;
}
