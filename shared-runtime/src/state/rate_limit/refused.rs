//! Who is refused again and again: counted for each limit in a bounded memory, so that a client that ignores its limit,
//! or a proxy that hides many clients behind one address, is seen by the operator.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Subjects that are counted at a time, for each limit.
const SUBJECTS: usize = 256;
/// So many refusals in a minute make a subject worth a line: whoever heeds `Retry-After` has fewer.
const MANY: u32 = 20;

/// The refusals of the current minute, by the names of limits.
#[derive(Default)]
pub(super) struct Refused(Mutex<HashMap<&'static str, Minute>>);

#[derive(Default)]
struct Minute {
    minute: i64,
    has_line: bool,
    refused: HashMap<String, u32>,
}

impl Refused {
    /// Counts a refusal; true for the first subject of the limit's minute that has had many: one line a minute is
    /// enough.
    pub(super) fn is_worth_a_line(&self, limit: &'static str, subject: &str, minute: i64) -> bool {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = limits.entry(limit).or_default();
        // Requests of the minute before may come late.
        if minute > now.minute {
            *now = Minute { minute, ..Minute::default() };
        }
        if now.has_line {
            return false;
        }
        if now.refused.len() >= SUBJECTS && !now.refused.contains_key(subject) {
            // One less for all (Misra and Gries): whoever has a large share of the refusals is never crowded out.
            now.refused.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
            return false;
        }
        let count = now.refused.entry(subject.to_owned()).or_default();
        *count += 1;
        now.has_line = *count >= MANY;
        if now.has_line {
            now.refused = HashMap::new();
        }
        now.has_line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many refusals are worth a line.
    fn lines(refused: &Refused, limit: &'static str, subject: &str, minute: i64, times: u32) -> usize {
        (0..times).filter(|_| refused.is_worth_a_line(limit, subject, minute)).count()
    }

    #[test]
    fn the_first_subject_with_many_refusals_has_the_line_of_its_limit_and_minute() {
        let refused = Refused::default();
        assert_eq!(lines(&refused, "read", "a", 7, MANY - 1), 0);
        assert_eq!(lines(&refused, "read", "b", 7, MANY - 1), 0);
        assert_eq!(lines(&refused, "read", "a", 7, 1), 1);
        assert_eq!(lines(&refused, "read", "b", 7, 2 * MANY), 0, "the minute has its line");
        assert_eq!(lines(&refused, "read", "b", 8, 2 * MANY), 1, "the next minute has one of its own");
        assert_eq!(lines(&refused, "write", "b", 8, 2 * MANY), 1, "so has another limit");
    }

    #[test]
    fn a_late_request_of_the_minute_before_does_not_begin_it_again() {
        let refused = Refused::default();
        assert_eq!(lines(&refused, "read", "a", 8, 2 * MANY), 1);
        assert_eq!(lines(&refused, "read", "a", 7, 2 * MANY), 0);
        assert_eq!(lines(&refused, "read", "a", 8, 2 * MANY), 0);
    }

    #[test]
    fn strangers_neither_fill_the_memory_nor_hide_the_one_who_is_refused_most() {
        let refused = Refused::default();
        let mut told = 0;
        for stranger in 0..100_000 {
            assert_eq!(lines(&refused, "read", &format!("stranger {stranger}"), 7, 1), 0);
            if stranger % 8 == 0 {
                told += lines(&refused, "read", "the one", 7, 1);
            }
            assert!(refused.0.lock().expect("a lock")["read"].refused.len() <= SUBJECTS);
        }
        assert_eq!(told, 1);
    }
}
