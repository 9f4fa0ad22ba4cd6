//! The classes of requests that are limited, and the limits in force.

use std::fmt;

/// A bucket of requests for each subject and UTC minute.
///
/// The subject follows from the operation, not from the class: a protected operation charges the grant of its access
/// token, a public one the source address (IPv4, or an IPv6 /64). A verb that charges a further class names the subject
/// in its call of [`RateLimiter::charge`](super::RateLimiter::charge).
#[derive(Debug, PartialEq, Eq)]
pub struct LimitClass {
    /// Its name in settings, headers and counters.
    pub name: &'static str,
    /// Requests in a minute, unless the settings say otherwise.
    pub per_minute: u32,
}

/// Limits in force: the classes' own, but for what the settings override.
#[derive(Clone, Debug, Default)]
pub struct RateLimits(pub Vec<(String, u32)>);

impl fmt::Display for RateLimits {
    /// As the setting has it; `default` when nothing is overridden.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<_> = self.0.iter().map(|(name, number)| format!("{name}={number}")).collect();
        f.write_str(if pairs.is_empty() { "default".to_owned() } else { pairs.join(",") }.as_str())
    }
}

impl RateLimits {
    /// Requests a minute in this class.
    pub fn of(&self, class: &LimitClass) -> u32 {
        self.0.iter().find(|(name, _)| name == class.name).map_or(class.per_minute, |(_, limit)| *limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_override_a_class_by_its_name() {
        const READS: LimitClass = LimitClass { name: "read", per_minute: 3 };
        assert_eq!(RateLimits(vec![("read".to_owned(), 600)]).of(&READS), 600);
        assert_eq!(RateLimits::default().of(&READS), 3);
    }
}
