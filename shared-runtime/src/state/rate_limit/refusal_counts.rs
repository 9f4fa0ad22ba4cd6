//! Finds subjects that are refused again and again. So the operator sees a client that ignores its limit, or a proxy
//! that hides many clients behind one address.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

const MAX_SUBJECTS: usize = 256;
// A client that waits for `Retry-After` has fewer refusals in a minute.
const LOG_THRESHOLD: u32 = 20;

/// Refusals of the current minute, by limit.
#[derive(Default)]
pub(super) struct RefusalCounts(Mutex<HashMap<&'static str, Minute>>);

#[derive(Default)]
struct Minute {
    minute: i64,
    has_line: bool,
    refused: HashMap<String, u32>,
}

impl RefusalCounts {
    /// Counts a refusal. True once per limit and minute: when the first subject reaches the threshold.
    pub(super) fn should_log(&self, limit: &'static str, subject: &str, minute: i64) -> bool {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = limits.entry(limit).or_default();
        // Requests of the previous minute may arrive late. Those of an earlier one are of a clock that was set back.
        if minute != now.minute && minute != now.minute - 1 {
            *now = Minute { minute, ..Minute::default() };
        }
        if now.has_line {
            return false;
        }
        if now.refused.len() >= MAX_SUBJECTS && !now.refused.contains_key(subject) {
            // The Misra-Gries algorithm: subtract one from all. A subject with a large share of the refusals is never
            // displaced.
            now.refused.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
            return false;
        }
        let count = now.refused.entry(subject.to_owned()).or_default();
        *count += 1;
        now.has_line = *count >= LOG_THRESHOLD;
        if now.has_line {
            now.refused = HashMap::new();
        }
        now.has_line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // How many of `times` refusals should be logged.
    fn lines(refused: &RefusalCounts, limit: &'static str, subject: &str, minute: i64, times: u32) -> usize {
        (0..times).filter(|_| refused.should_log(limit, subject, minute)).count()
    }

    #[test]
    fn one_subject_per_limit_and_minute_is_logged() {
        let refused = RefusalCounts::default();
        assert_eq!(lines(&refused, "read", "a", 7, LOG_THRESHOLD - 1), 0);
        assert_eq!(lines(&refused, "read", "b", 7, LOG_THRESHOLD - 1), 0);
        assert_eq!(lines(&refused, "read", "a", 7, 1), 1);
        assert_eq!(lines(&refused, "read", "b", 7, 2 * LOG_THRESHOLD), 0, "one line per minute");
        assert_eq!(lines(&refused, "read", "b", 8, 2 * LOG_THRESHOLD), 1, "one line in the next minute");
        assert_eq!(lines(&refused, "write", "b", 8, 2 * LOG_THRESHOLD), 1, "another limit has its own line");
    }

    #[test]
    fn a_late_request_of_the_previous_minute_does_not_restart_the_count() {
        let refused = RefusalCounts::default();
        assert_eq!(lines(&refused, "read", "a", 8, 2 * LOG_THRESHOLD), 1);
        assert_eq!(lines(&refused, "read", "a", 7, 2 * LOG_THRESHOLD), 0);
        assert_eq!(lines(&refused, "read", "a", 8, 2 * LOG_THRESHOLD), 0);
    }

    #[test]
    fn after_the_clock_was_set_back_the_minutes_are_logged_again() {
        let refused = RefusalCounts::default();
        assert_eq!(lines(&refused, "read", "a", 80, 2 * LOG_THRESHOLD), 1);
        assert_eq!(lines(&refused, "read", "a", 20, 2 * LOG_THRESHOLD), 1);
    }

    #[test]
    fn many_subjects_neither_fill_the_memory_nor_hide_the_most_refused_one() {
        let refused = RefusalCounts::default();
        let mut logged = 0;
        for stranger in 0..100_000 {
            assert_eq!(lines(&refused, "read", &format!("stranger {stranger}"), 7, 1), 0);
            if stranger % 8 == 0 {
                logged += lines(&refused, "read", "the one", 7, 1);
            }
            assert!(refused.0.lock().expect("a lock")["read"].refused.len() <= MAX_SUBJECTS);
        }
        assert_eq!(logged, 1);
    }
}
