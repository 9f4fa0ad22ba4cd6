//! What an operator sees in the metrics.

use shared_testing::{ServiceProcess, metrics_table};

#[shared_testing::test]
async fn what_only_this_service_shows_is_in_a_table_of_its_own() {
    let witnesses = format!("{} http://127.0.0.1:1", crate::cosigning::cosigner(1).verifier_key());
    let settings = [("LOG_WITNESSES", witnesses.as_str())];
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_trust-svc"), trust_svc::service(), &settings).await;
    let own = &metrics_table::shown(&process).await - &metrics_table::documented("| metric |");
    assert_eq!(own, metrics_table::documented("| metric of trust |"), "docs/reference/metrics.md");
}
