//! Pauses between the batches of an import. SQLite has no queue of writers: a connection that finds the database locked asks
//! again after a while, so a process that writes without a pause shuts the others out.

use std::time::Duration;

use tokio::time::Instant;

use crate::context::Context;

/// Pause after so much writing; SQLite's busy handler asks every 25 ms by then, later every 100 ms.
const WRITING: Duration = Duration::from_millis(120);
/// A pause takes this part of the writing before it, so that all connections that waited through it ask within the pause.
const PART: u32 = 4;
/// The longest that the busy handler sleeps before it asks again.
const LONGEST: Duration = Duration::from_millis(100);

/// The pauses of one import.
pub(super) struct Backoff {
    /// Since when there was no pause; `None` where the database has a queue of writers.
    since: Option<Instant>,
}

impl Backoff {
    /// For an import into this context's database.
    pub(super) fn for_database(context: &Context) -> Self {
        Self { since: context.settings.database_url.starts_with("sqlite:").then(Instant::now) }
    }

    /// Pauses, if it is time to, so that other processes can write.
    pub(super) async fn yield_to_writers(&mut self) {
        let Some(since) = &mut self.since else { return };
        if let Some(pause) = pause_after(since.elapsed()) {
            tokio::time::sleep(pause).await;
            *since = Instant::now();
        }
    }
}

/// The pause after so much writing, if there is to be one.
fn pause_after(writing: Duration) -> Option<Duration> {
    (writing >= WRITING).then(|| LONGEST.min(writing / PART))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long SQLite's busy handler sleeps, time after time; then always 100 milliseconds.
    const SLEEPS: [u64; 11] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50];

    #[test]
    fn a_connection_that_waited_asks_within_the_pause() {
        let asks: Vec<_> = SLEEPS
            .iter()
            .scan(0, |at, sleep| {
                *at += sleep;
                Some(*at)
            })
            .collect();
        for waited in 0..=120 {
            let pause = pause_after(WRITING).expect("a pause").as_millis() as u64;
            assert!(asks.iter().any(|at| (waited..=waited + pause).contains(at)), "after {waited} ms");
        }
        assert_eq!(pause_after(WRITING / 2), None);
        assert_eq!(pause_after(WRITING * 100), Some(LONGEST));
    }
}
