//! The metrics of the service.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn metrics_of_this_service_have_a_table_of_their_own() {
    let witnesses = format!("{} http://127.0.0.1:1", crate::cosigning::cosigner(1).verifier_key());
    let settings = [("LOG_WITNESSES", witnesses.as_str())];
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), &settings).await;
    let own = &metrics_table::shown(&process).await - &metrics_table::documented("| metric |");
    assert_eq!(own, metrics_table::documented("| metric of trust |"), "docs/reference/metrics.md");
}
