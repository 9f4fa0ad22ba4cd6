//! Fixed-minute rate limits (spec: Limits).

mod class;
mod limiter;
mod local_windows;
#[cfg(test)]
mod redis_tests;
mod redis_windows;
mod refused;
mod replica_share;
mod window;

pub use class::{LimitClass, RateLimits};
pub use limiter::RateLimiter;
pub use window::Window;
