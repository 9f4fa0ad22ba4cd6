//! Compares the documented metrics with those that a service exports.

use std::collections::BTreeSet;

use crate::service_process::ServiceProcess;

const METRICS: &str = include_str!("../../docs/reference/metrics.md");

/// Names of the metrics in the table after this heading.
pub fn documented(heading: &str) -> BTreeSet<String> {
    let (_, table) = METRICS.split_once(heading).expect("there is a table");
    // The last table ends with the file.
    let table = table.split_once("\n\n").map_or(table, |(table, _)| table);
    table.lines().filter_map(|row| row.strip_prefix("| `")?.split('`').next()).map(str::to_owned).collect()
}

/// Names of the metrics that a service exports from its start. Each must have a description.
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
