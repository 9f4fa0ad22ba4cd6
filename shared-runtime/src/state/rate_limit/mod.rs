//! Rate limits per subject and UTC minute.

mod class;
mod limiter;
mod local_windows;
#[cfg(test)]
mod redis_tests;
mod redis_windows;
mod refusal_counts;
mod replica_share;
mod window;

pub use class::{LimitClass, RateLimits};
pub use limiter::{REFUSED, RateLimiter};
pub use window::Window;
