//! The connection to Redis that rate limiter and in-flight locks share.

mod breaker;
mod link;
mod settings;
#[cfg(test)]
pub(crate) mod test_server;
#[cfg(test)]
mod tls_tests;

pub use link::RedisLink;
pub use settings::RedisSettings;
#[cfg(test)]
pub use {breaker::RETRY_INTERVAL, link::CALL_TIMEOUT};
