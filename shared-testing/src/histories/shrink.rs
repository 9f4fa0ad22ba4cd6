//! Looks for a history that differs from the model, and makes it short.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    ground::Ground,
    model::Model,
    report::Report,
    run::run,
    step::{Step, Trouble, steps},
};

/// How long to look, and with which numbers.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    /// Steps of one history. Each begins on an empty database.
    pub length: usize,
    pub looking: Duration,
    pub shrinking: Duration,
}

/// Runs histories until the time is over or one differs, which is then shrunk. `ground` makes an empty database and
/// the model of it for a seed.
// Our own shrinking: a proptest strategy makes all its values before the first command runs, and drops them one by one.
// Here a command needs the answers before it, and each trial starts processes.
#[expect(clippy::print_stdout, reason = "a history can only be run again if its seed is known")]
pub async fn search<M: Model>(plan: Plan, mut ground: impl AsyncFnMut(u64) -> (Ground, M)) -> Report {
    let mut begun = None;
    let mut total = Report::default();
    for seed in plan.seed.. {
        println!("HISTORY_SEED={seed}");
        let steps = steps(seed, plan.length);
        let (mut processes, model) = ground(seed).await;
        // A slow machine needs seconds for the first processes, and would have no time left for commands.
        let begun = *begun.get_or_insert_with(Instant::now);
        let report = run(&mut processes, model, &steps, begun + plan.looking).await;
        drop(processes);
        total.add(&report);
        if let Some(difference) = &report.difference {
            println!(
                "{} differs after {} commands and {} s; shrinking",
                difference.operation,
                total.commands,
                begun.elapsed().as_secs()
            );
            let end = difference.step.map_or(steps.len(), |step| step + 1);
            let shortest = shrunk(&steps[..end], report, seed, plan.shrinking, &mut ground).await;
            return Report { lines: shortest.lines, difference: shortest.difference, ..total };
        }
        // After a whole history: one without its end has compared little.
        if begun.elapsed() >= plan.looking {
            break;
        }
    }
    total
}

/// The report of the shortest history that was found with the same difference.
async fn shrunk<M: Model>(
    steps: &[Step],
    report: Report,
    seed: u64,
    length: Duration,
    ground: &mut impl AsyncFnMut(u64) -> (Ground, M),
) -> Report {
    let until = Instant::now() + length;
    let operation = report.difference.as_ref().map(|difference| difference.operation);
    let (mut best, mut steps) = (report, steps.to_vec());
    let mut chunk = steps.len().div_ceil(2);
    while chunk > 0 && Instant::now() < until {
        let mut start = 0;
        // From the end: later steps depend on earlier ones, and not the other way round.
        while start < steps.len() && Instant::now() < until {
            let end = steps.len() - start;
            let mut fewer = steps.clone();
            fewer.drain(end.saturating_sub(chunk)..end);
            let (mut processes, model) = ground(seed).await;
            let again = run(&mut processes, model, &fewer, until).await;
            match again.difference.as_ref().filter(|found| Some(found.operation) == operation) {
                Some(found) => {
                    fewer.truncate(found.step.map_or(fewer.len(), |step| step + 1));
                    (best, steps) = (again, fewer);
                }
                None => start += chunk,
            }
        }
        chunk /= 2;
    }
    // Most differences need no trouble.
    let calm: Vec<Step> = steps.iter().map(|step| Step { trouble: Trouble::None, ..step.clone() }).collect();
    let (mut processes, model) = ground(seed).await;
    let again = run(&mut processes, model, &calm, until + length).await;
    if again.difference.as_ref().is_some_and(|found| Some(found.operation) == operation) { again } else { best }
}
