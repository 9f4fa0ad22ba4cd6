//! What the tests of all services do with their models.

use std::{collections::BTreeSet, time::Duration};

use shared_runtime::service::Service;

use super::{
    ground::Ground,
    model::Model,
    report::Report,
    shrink::{Plan, search},
};
use crate::{servers, variable::variable};

/// Fewer commands say nothing.
const FEWEST: usize = 20;
/// With this many commands for each operation, each of them has succeeded, however rare it is.
const ENOUGH: usize = 300;

/// Names, each with a reason.
pub type Reasons = &'static [(&'static str, &'static str)];

/// What the histories of a service try, and what they do not.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Operations with a generator.
    pub operations: Vec<&'static str>,
    /// Operations without one, and what tries them instead.
    pub elsewhere: Reasons,
    /// Operations with a generator that cannot succeed in a history, and why.
    pub never: Reasons,
    /// Tools that commands go by.
    pub tools: &'static [&'static str],
    /// Tools that no command goes by, and why.
    pub tools_elsewhere: Reasons,
}

/// Looks for a history that differs from the model for `seconds`, or for `HISTORY_MINUTES`; fails if there is one.
#[expect(clippy::print_stdout, reason = "who looks longer wants to know what was tried")]
pub async fn look<M: Model>(
    coverage: &Coverage,
    (seconds, length): (u64, usize),
    ground: impl AsyncFnMut(u64) -> (Ground, M),
) -> Report {
    // The same ones each time, because a red test should mean a change of the code. `./test histories` takes others.
    // With servers another one: there the first history of Cloud has little storage.
    let seed = variable("HISTORY_SEED", if servers::of_this_run().is_some() { 4 } else { 1 });
    let minutes = variable("HISTORY_MINUTES", 0);
    let looking = Duration::from_secs(60 * minutes).max(Duration::from_secs(seconds));
    let plan = Plan { seed, length, looking, shrinking: Duration::from_secs(90) };
    let report = search(plan, ground).await;
    let Report { commands, kills, failovers, lost, ways, .. } = &report;
    println!("{commands} commands {ways:?}, {kills} kills, {failovers} failovers, {lost} answers lost");
    println!("{:?}", report.outcomes);
    let refused = report.without_success(&coverage.operations);
    let refused_tools = report.tools_without_success(coverage.tools);
    println!("without a success: {refused:?}, tools: {refused_tools:?}");
    assert!(report.difference.is_none(), "{report}");
    assert!(report.commands >= FEWEST, "only {} commands in {looking:?} say nothing", report.commands);
    let unlisted: Vec<_> = report.tools.keys().filter(|(tool, _)| !coverage.tools.contains(tool)).collect();
    assert!(unlisted.is_empty(), "commands went by tools that the model does not list: {unlisted:?}");
    // A short look has no time for what is rare.
    let operations: BTreeSet<_> = coverage.operations.iter().collect();
    if minutes > 0 && report.commands >= ENOUGH * operations.len() {
        let (refused, never): (BTreeSet<_>, BTreeSet<_>) = (refused.into_iter().collect(), names(coverage.never));
        assert_eq!(refused, never, "operations without a success, and those that are known to have none");
        assert!(refused_tools.is_empty(), "tools without a success: {refused_tools:?}");
    }
    report
}

/// Fails unless each operation and each tool of a service is in the histories, or is tried elsewhere.
pub fn compare(service: &Service, coverage: &Coverage) {
    let routes = service.routes();
    let operations = routes.contracts().map(|contract| contract.id).collect();
    compare_names("operations", &operations, &coverage.operations, coverage.elsewhere);
    let described = service.described_tools();
    let tools = described.iter().flat_map(|tools| &tools.tools).map(|tool| tool.name).collect();
    compare_names("tools", &tools, coverage.tools, coverage.tools_elsewhere);
    let unknown: Vec<_> = names(coverage.never).into_iter().filter(|id| !coverage.operations.contains(id)).collect();
    assert!(unknown.is_empty(), "without a generator they cannot succeed anyway: {unknown:?}");
}

fn compare_names(what: &str, known: &BTreeSet<&str>, tried: &[&'static str], elsewhere: Reasons) {
    let mut named = names(elsewhere);
    named.extend(tried);
    let missing: Vec<_> = known.difference(&named).collect();
    assert!(missing.is_empty(), "{what} that the model does not try: {missing:?}");
    let unknown: Vec<_> = named.difference(known).collect();
    assert!(unknown.is_empty(), "the model tries {what} that the service does not have: {unknown:?}");
}

fn names(reasons: Reasons) -> BTreeSet<&'static str> {
    reasons.iter().map(|(name, _)| *name).collect()
}
