//! Column values of the right size, without meaning.

pub const NAME: &str = "Benchmark";
pub const NAME_KEY: &str = "benchmark";
/// Microseconds since the Unix epoch.
pub const NOW: i64 = 1_800_000_000_000_000;
pub const CREATED_BY: &str = "{\"type\":\"user\",\"id\":\"ada\",\"display_name\":\"ada\"}";

pub fn sha256() -> String {
    "0".repeat(64)
}

/// As long as the answer to a create.
pub fn answer() -> String {
    "{\"file\":{}}".repeat(40)
}
