//! What the tests of all services do with their models.

use std::{collections::BTreeSet, time::Duration};

use shared_runtime::service::Service;

use super::{
    ground::Ground,
    model::Model,
    report::Report,
    shrink::{Plan, search},
};
use crate::variable::variable;

/// Fewer commands say nothing.
const FEWEST: usize = 20;

/// Looks for a history that differs from the model for `seconds`, or for `HISTORY_MINUTES`; fails if there is one.
#[expect(clippy::print_stdout, reason = "who looks longer wants to know what was tried")]
pub async fn look<M: Model>(
    operations: &[&'static str],
    (seconds, length): (u64, usize),
    ground: impl AsyncFnMut(u64) -> (Ground, M),
) -> Report {
    // The same ones each time, because a red test should mean a change of the code. `./test histories` takes others.
    let seed = variable("HISTORY_SEED", 1);
    let looking = Duration::from_secs(60 * variable("HISTORY_MINUTES", 0)).max(Duration::from_secs(seconds));
    let plan = Plan { seed, length, looking, shrinking: Duration::from_secs(90) };
    let report = search(plan, ground).await;
    let Report { commands, kills, failovers, lost, ways, .. } = &report;
    println!("{commands} commands {ways:?}, {kills} kills, {failovers} failovers, {lost} answers lost");
    println!("{:?}", report.outcomes);
    println!("without a success: {:?}", report.without_success(operations));
    assert!(report.difference.is_none(), "{report}");
    assert!(report.commands >= FEWEST, "only {} commands in {looking:?} say nothing", report.commands);
    report
}

/// Fails unless each operation of a service has a generator, or is tried elsewhere.
pub fn compare(service: &Service, generators: &[&str], elsewhere: &[&str]) {
    let routes = service.routes();
    let operations: BTreeSet<&str> = routes.contracts().map(|contract| contract.id).collect();
    let tried: BTreeSet<&str> = generators.iter().chain(elsewhere).copied().collect();
    let missing: Vec<_> = operations.difference(&tried).collect();
    assert!(missing.is_empty(), "operations without a generator in the model: {missing:?}");
    let unknown: Vec<_> = tried.difference(&operations).collect();
    assert!(unknown.is_empty(), "generators without an operation: {unknown:?}");
}
