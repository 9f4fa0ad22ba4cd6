//! Outcomes of imported lines.

use std::{cmp::Ordering, fmt};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// The record is new.
    Added,
    /// The record replaces an older version of itself.
    Replaced,
    /// The stored record is the same.
    Unchanged,
    /// A newer version of this record is stored.
    Superseded,
    /// The record contradicts the stored data; with the reason.
    Refused(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub added: u64,
    pub replaced: u64,
    pub unchanged: u64,
    pub superseded: u64,
    pub refused: u64,
}

impl Tally {
    pub fn good(&self) -> u64 {
        self.added + self.replaced + self.unchanged + self.superseded
    }

    /// Counts an outcome; returns the reason of a refusal.
    pub(super) fn count(&mut self, outcome: LineOutcome) -> Option<String> {
        let (count, why) = match outcome {
            LineOutcome::Added => (&mut self.added, None),
            LineOutcome::Replaced => (&mut self.replaced, None),
            LineOutcome::Unchanged => (&mut self.unchanged, None),
            LineOutcome::Superseded => (&mut self.superseded, None),
            LineOutcome::Refused(why) => (&mut self.refused, Some(why)),
        };
        *count += 1;
        why
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, replaced, unchanged, superseded, refused } = self;
        write!(f, "{added} added, {replaced} replaced, {unchanged} unchanged, ")?;
        if *superseded > 0 {
            write!(f, "{superseded} older than the stored record, ")?;
        }
        write!(f, "{refused} refused")
    }
}

/// `None`: the incoming version replaces the stored one.
pub fn compare_versions<T: PartialEq>(stored: (&T, i64), incoming: (&T, i64)) -> Option<LineOutcome> {
    let (known, version) = (stored.1, incoming.1);
    match version.cmp(&known) {
        Ordering::Less => {
            Some(LineOutcome::Refused(format!("version {version} is stale: version {known} is recorded")))
        }
        Ordering::Equal if stored.0 == incoming.0 => Some(LineOutcome::Unchanged),
        Ordering::Equal => Some(LineOutcome::Refused(format!(
            "version {version} is recorded with other content: a change needs a higher version"
        ))),
        Ordering::Greater => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_higher_version_replaces_the_stored_one() {
        assert_eq!(compare_versions((&'a', 2), (&'a', 2)), Some(LineOutcome::Unchanged));
        assert_eq!(compare_versions((&'a', 2), (&'b', 3)), None);
        for incoming in [(&'b', 2), (&'b', 1), (&'a', 1)] {
            assert!(matches!(compare_versions((&'a', 2), incoming), Some(LineOutcome::Refused(_))), "{incoming:?}");
        }
    }
}
