//! Who is refused most: counted in a bounded memory, so that a client that ignores its limit, or a proxy that hides many
//! clients behind one address, is seen by the operator.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Subjects that are counted at a time.
const SUBJECTS: usize = 256;
/// So many refusals in a minute make a subject worth a line: whoever heeds `Retry-After` has fewer.
const MANY: u32 = 20;

/// The refusals of the current minute.
#[derive(Default)]
pub(super) struct Refused(Mutex<Minute>);

#[derive(Default)]
struct Minute {
    minute: i64,
    is_told: bool,
    refused: HashMap<String, u32>,
}

impl Refused {
    /// Counts a refusal; true for the first subject of the minute that has had many: one line a minute is enough.
    pub(super) fn is_worth_a_line(&self, class: &str, subject: &str, minute: i64) -> bool {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.minute != minute {
            *now = Minute { minute, ..Minute::default() };
        }
        if now.is_told {
            return false;
        }
        let key = format!("{class} {subject}");
        if now.refused.len() >= SUBJECTS && !now.refused.contains_key(&key) {
            // One less for all (Misra and Gries): whoever has a large share of the refusals is never crowded out.
            now.refused.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
            return false;
        }
        let count = now.refused.entry(key).or_default();
        *count += 1;
        now.is_told = *count >= MANY;
        if now.is_told {
            now.refused = HashMap::new();
        }
        now.is_told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_subject_with_many_refusals_is_told_once_a_minute() {
        let refused = Refused::default();
        for _ in 1..MANY {
            assert!(!refused.is_worth_a_line("read", "a", 7));
            assert!(!refused.is_worth_a_line("read", "b", 7));
        }
        assert!(refused.is_worth_a_line("read", "a", 7));
        for _ in 0..2 * MANY {
            assert!(!refused.is_worth_a_line("read", "b", 7), "the minute has its line");
        }
        let told = (0..MANY).filter(|_| refused.is_worth_a_line("read", "b", 8)).count();
        assert_eq!(told, 1, "the next minute has one of its own");
    }

    #[test]
    fn strangers_neither_fill_the_memory_nor_hide_the_one_who_is_refused_most() {
        let refused = Refused::default();
        let mut told = 0;
        for stranger in 0..100_000 {
            assert!(!refused.is_worth_a_line("read", &format!("stranger {stranger}"), 7));
            if stranger % 8 == 0 {
                told += usize::from(refused.is_worth_a_line("read", "the one", 7));
            }
            assert!(refused.0.lock().expect("a lock").refused.len() <= SUBJECTS);
        }
        assert_eq!(told, 1);
    }
}
