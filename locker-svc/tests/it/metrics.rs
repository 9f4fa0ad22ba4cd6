//! docs/reference/metrics.md lists the metrics that a service shows from its start, and no other.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn every_metric_exists_from_the_start_and_is_documented() {
    let locker = ServiceProcess::of(env!("CARGO_BIN_EXE_locker-svc"), locker_svc::service(), &[]).await;
    assert_eq!(
        metrics_table::shown(&locker).await,
        metrics_table::documented("| metric |"),
        "docs/reference/metrics.md"
    );
}
