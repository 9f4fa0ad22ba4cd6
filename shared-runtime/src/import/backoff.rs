//! Pauses between the batches of an import, so that other processes can write to a SQLite database.

use std::time::Duration;

use tokio::time::Instant;

use crate::context::Context;

// SQLite has no queue of writers. A waiting connection tries again every 25 ms at first, later every 100 ms. So a
// process that writes without a pause shuts the others out.
const WRITE_SLICE: Duration = Duration::from_millis(120);
// Long enough that every connection that waited while we wrote tries again within the pause.
const PAUSE_DIVISOR: u32 = 4;
// The longest sleep of SQLite's busy handler.
const MAX_PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Backoff {
    /// When the last pause ended; `None` for databases with a queue of writers.
    since: Option<Instant>,
}

impl Backoff {
    pub(super) fn for_database(context: &Context) -> Self {
        Self { since: context.settings.database_url.starts_with("sqlite:").then(Instant::now) }
    }

    /// Pauses if the last pause is long enough ago.
    pub(super) async fn yield_to_writers(&mut self) {
        let Some(since) = &mut self.since else { return };
        if let Some(pause) = pause_after(since.elapsed()) {
            tokio::time::sleep(pause).await;
            *since = Instant::now();
        }
    }
}

fn pause_after(writing: Duration) -> Option<Duration> {
    (writing >= WRITE_SLICE).then(|| MAX_PAUSE.min(writing / PAUSE_DIVISOR))
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
            let pause = pause_after(WRITE_SLICE).expect("a pause").as_millis() as u64;
            assert!(asks.iter().any(|at| (waited..=waited + pause).contains(at)), "after {waited} ms");
        }
        assert_eq!(pause_after(WRITE_SLICE / 2), None);
        assert_eq!(pause_after(WRITE_SLICE * 100), Some(MAX_PAUSE));
    }
}
