//! What an operator sees in the metrics.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn every_declared_metric_exists_from_the_start_and_no_other() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_orders-svc"), orders_svc::service(), &[]).await;
    metrics_table::assert_complete(&process, &orders_svc::service()).await;
}
