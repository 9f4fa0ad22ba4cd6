//! Values of columns that say nothing.

/// The name of every document.
pub const NAME: &str = "Benchmark";
/// Its key.
pub const NAME_KEY: &str = "benchmark";
/// When every row was written, in microseconds of the Unix epoch.
pub const NOW: i64 = 1_800_000_000_000_000;
/// Who wrote it.
pub const CREATED_BY: &str = "{\"type\":\"user\",\"id\":\"ada\",\"display_name\":\"ada\"}";

/// A digest's place.
pub fn sha256() -> String {
    "0".repeat(64)
}

/// As long as the answer to a create.
pub fn answer() -> String {
    "{\"file\":{}}".repeat(40)
}
