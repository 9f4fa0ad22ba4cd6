//! The connection to Redis that the rate limiter and the in-flight locks share.

mod breaker;
mod link;
#[cfg(test)]
pub(crate) mod test_server;

pub use link::RedisLink;
#[cfg(test)]
pub use {breaker::RETRY_INTERVAL, link::CALL_TIMEOUT};
