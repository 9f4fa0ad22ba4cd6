//! Taking turns: SQLite has no queue of writers, each asks again and again, so whoever writes on and on shuts the others out.

use std::time::Duration;

use tokio::time::Instant;

use crate::context::Context;

/// Writing without a pause. Whoever has waited for so long asks again every 25 milliseconds, later more seldom.
const STRETCH: Duration = Duration::from_millis(120);
/// A pause takes this part of the stretch before it, so that all who waited through it ask within the pause.
const PART: u32 = 4;
/// The longest that a waiting connection sleeps before it asks again.
const LONGEST: Duration = Duration::from_millis(100);

/// Pauses between the batches of an import.
pub(super) struct Turns {
    /// When the present stretch began; `None` where the database lets everyone write.
    since: Option<Instant>,
}

impl Turns {
    /// Of an import into this context's database.
    pub(super) fn at(context: &Context) -> Self {
        Self { since: context.settings.database_url.starts_with("sqlite:").then(Instant::now) }
    }

    /// Lets others write if it is time to.
    pub(super) async fn give_way(&mut self) {
        let Some(since) = &mut self.since else { return };
        if let Some(pause) = pause_after(since.elapsed()) {
            tokio::time::sleep(pause).await;
            *since = Instant::now();
        }
    }
}

/// How long others are to have their turn after a stretch, if they are to have one now.
fn pause_after(stretch: Duration) -> Option<Duration> {
    (stretch >= STRETCH).then(|| LONGEST.min(stretch / PART))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long SQLite's busy handler sleeps, time after time; then always 100 milliseconds.
    const SLEEPS: [u64; 11] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50];

    #[test]
    fn whoever_has_waited_through_a_stretch_asks_within_the_pause_after_it() {
        let asks: Vec<_> = SLEEPS
            .iter()
            .scan(0, |at, sleep| {
                *at += sleep;
                Some(*at)
            })
            .collect();
        for waited in 0..=120 {
            let pause = pause_after(STRETCH).expect("a turn for others").as_millis() as u64;
            assert!(asks.iter().any(|at| (waited..=waited + pause).contains(at)), "after {waited} ms");
        }
        assert_eq!(pause_after(STRETCH / 2), None);
        assert_eq!(pause_after(STRETCH * 100), Some(LONGEST));
    }
}
