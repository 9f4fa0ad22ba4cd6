//! The pauses between attempts.

use std::time::Duration;

use shared_model::Random;

use crate::news::webhooks::message::VERIFICATION;

/// Seconds before the second and each later attempt.
const EVENTS: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// The same for a challenge.
const CHALLENGES: [u64; 4] = [60, 600, 3_600, 86_400];

/// The pause after `attempts` failed attempts; `None` after the last. An endpoint may ask for up to twice the pause.
// Varies by a fifth, so that deliveries that failed together are not sent again together.
pub fn pause(kind: &str, attempts: i64, retry_after: Option<Duration>, random: &Random) -> Option<Duration> {
    let pauses: &[u64] = if kind == VERIFICATION { &CHALLENGES } else { &EVENTS };
    let failed = usize::try_from(attempts).ok()?.checked_sub(1)?;
    let base = Duration::from_secs(*pauses.get(failed)?);
    Some(match retry_after {
        // Never less than our own pause: an endpoint must not cause more requests than planned.
        Some(asked) => asked.clamp(base, base * 2),
        None => {
            let [high, low, ..] = random.bytes16();
            base.mul_f64(0.8 + 0.4 * f64::from(u16::from_be_bytes([high, low])) / f64::from(u16::MAX))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_attempts_take_75_hours_a_fifth_more_or_less() {
        let random = Random::seeded(1);
        let pause = |attempts| pause("file.updated", attempts, None, &random);
        let pauses: Vec<_> = (1..).map_while(pause).collect();
        assert_eq!(pauses.len(), 9);
        for (pause, base) in pauses.iter().zip(EVENTS) {
            let share = pause.as_secs_f64() / Duration::from_secs(base).as_secs_f64();
            assert!((0.8..=1.2).contains(&share), "{pause:?} for {base} s");
        }
        assert_eq!(EVENTS.iter().sum::<u64>(), 272_105, "75 h 35 min 5 s");
        assert_eq!((1..).map_while(|attempts| super::pause(VERIFICATION, attempts, None, &random)).count(), 4);
    }

    #[test]
    fn an_endpoint_may_ask_for_twice_the_time_and_for_no_less() {
        let asked = |seconds| pause("file.updated", 2, Some(Duration::from_secs(seconds)), &Random::System);
        for (asked_for, granted) in [(0, 300), (300, 300), (450, 450), (600, 600), (90_000, 600)] {
            assert_eq!(asked(asked_for), Some(Duration::from_secs(granted)), "{asked_for}");
        }
    }
}
