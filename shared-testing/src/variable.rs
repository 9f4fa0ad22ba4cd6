//! Numbers that change how long a test runs.

/// A number that an environment variable may set, for longer runs by hand.
pub fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}
