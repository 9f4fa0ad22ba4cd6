//! Classes of limited requests, and the limits in force.

use std::fmt;

/// One counter per subject and UTC minute.
///
/// The operation decides the subject. A protected operation charges the grant of its access token, a public one the
/// source address (IPv4, or an IPv6 /64). A verb that charges another class names the subject when it calls
/// [`RateLimiter::charge`](super::RateLimiter::charge).
#[derive(Debug, PartialEq, Eq)]
pub struct LimitClass {
    /// The name in settings, headers and metrics.
    pub name: &'static str,
    /// The default; RATE_LIMITS overrides it.
    pub per_minute: u32,
}

/// Overrides from the settings, by the names of classes.
#[derive(Clone, Debug, Default)]
pub struct RateLimits(pub Vec<(String, u32)>);

impl fmt::Display for RateLimits {
    // As in the setting; `default` without overrides.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<_> = self.0.iter().map(|(name, number)| format!("{name}={number}")).collect();
        f.write_str(if pairs.is_empty() { "default".to_owned() } else { pairs.join(",") }.as_str())
    }
}

impl RateLimits {
    pub fn limit_for(&self, class: &LimitClass) -> u32 {
        self.0.iter().find(|(name, _)| name == class.name).map_or(class.per_minute, |(_, limit)| *limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_override_a_class_by_its_name() {
        const READS: LimitClass = LimitClass { name: "read", per_minute: 3 };
        assert_eq!(RateLimits(vec![("read".to_owned(), 600)]).limit_for(&READS), 600);
        assert_eq!(RateLimits::default().limit_for(&READS), 3);
    }
}
