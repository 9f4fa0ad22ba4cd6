//! docs/operations.md lists the metrics that a service shows from its start, and no other.

use std::collections::BTreeSet;

use shared_testing::ServiceProcess;

const OPERATIONS: &str = include_str!("../../../docs/operations.md");

#[shared_testing::test]
async fn every_metric_is_there_from_the_start_described_and_in_the_table() {
    let locker = ServiceProcess::of(env!("CARGO_BIN_EXE_locker-svc"), locker_svc::service(), &[]).await;
    let metrics = locker.metrics().await;
    let named = |what: &str| -> BTreeSet<String> {
        let lines = metrics.lines().filter_map(|line| line.strip_prefix(what)?.split(' ').next());
        lines.map(str::to_owned).collect()
    };
    let shown = named("# TYPE ");
    assert_eq!(shown, named("# HELP "), "each is described");
    let (_, table) = OPERATIONS.split_once("| metric |").expect("there is a table");
    let (table, _) = table.split_once("\n\n").expect("it ends");
    let rows = table.lines().filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    assert_eq!(shown, rows.map(str::to_owned).collect(), "docs/operations.md");
}
