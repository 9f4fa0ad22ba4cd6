//! The tables of metrics in docs/operations.md, and what a service shows.

use std::collections::BTreeSet;

use crate::service_process::ServiceProcess;

const OPERATIONS: &str = include_str!("../../docs/operations.md");

/// The metrics of the table that begins with this heading.
pub fn documented(heading: &str) -> BTreeSet<String> {
    let (_, table) = OPERATIONS.split_once(heading).expect("there is a table");
    let (table, _) = table.split_once("\n\n").expect("it ends");
    table.lines().filter_map(|row| row.strip_prefix("| `")?.split('`').next()).map(str::to_owned).collect()
}

/// The metrics that a service shows from its start, each with a description.
pub async fn shown(process: &ServiceProcess) -> BTreeSet<String> {
    let metrics = process.metrics().await;
    let named = |what: &str| -> BTreeSet<String> {
        let lines = metrics.lines().filter_map(|line| line.strip_prefix(what)?.split(' ').next());
        lines.map(str::to_owned).collect()
    };
    let shown = named("# TYPE ");
    assert_eq!(shown, named("# HELP "), "each is described");
    shown
}
