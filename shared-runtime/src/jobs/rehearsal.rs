//! Where tests stop a worker to kill it, and how they shorten its leases. In a release build there is nothing here.

use std::time::Duration;

/// Never returns when a test has asked for this step (`FOURFOLD_TEST_HANG_AT`).
pub async fn hang_at(step: &str) {
    #[cfg(debug_assertions)]
    if std::env::var("FOURFOLD_TEST_HANG_AT").is_ok_and(|wanted| wanted == step) {
        std::future::pending::<()>().await;
    }
    #[cfg(not(debug_assertions))]
    let _ = step;
}

/// The lease, or what a test wants in its place (`FOURFOLD_TEST_LEASE_MS`).
pub(super) fn lease(lease: Duration) -> Duration {
    #[cfg(debug_assertions)]
    if let Some(milliseconds) = std::env::var("FOURFOLD_TEST_LEASE_MS").ok().and_then(|text| text.parse().ok()) {
        return Duration::from_millis(milliseconds);
    }
    lease
}
