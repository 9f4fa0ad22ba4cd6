//! The metrics of the service.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn every_declared_metric_exists_after_a_refusal_and_no_other() {
    let witnesses = format!("{} http://127.0.0.1:1", crate::cosigning::cosigner(1).verifier_key());
    let settings = [("LOG_WITNESSES", witnesses.as_str())];
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), &settings).await;
    metrics_table::assert_complete(&process, &trust_svc::service()).await;
}

#[shared_testing::test]
async fn few_series_exist_from_the_start_and_others_appear_with_their_first_request() {
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), &[]).await;
    metrics_table::assert_few_at_start(&process, &trust_svc::service()).await;
}
