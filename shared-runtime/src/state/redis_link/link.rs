//! Script calls to one Redis, each within [`CALL_TIMEOUT`], and none while Redis is away.

use std::{sync::Arc, time::Duration};

use redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisResult, ScriptInvocation, aio::MultiplexedConnection};
use shared_model::Failure;
use tokio::{task::JoinHandle, time};

use super::breaker::{Access, Breaker, ConnectAttempt, Connection};
use crate::base::clock::Clock;

/// The longest that one call may take, connecting included.
pub const CALL_TIMEOUT: Duration = Duration::from_millis(75);

/// The longest that connecting may take; the request that began it waits for [`CALL_TIMEOUT`] only.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Commands that may wait for the socket at once.
const PIPELINE_BUFFER: usize = 1024;

/// One Redis, shared by all that use it; connects at the first call.
#[derive(Clone)]
pub struct RedisLink {
    client: Client,
    call_timeout: Duration,
    breaker: Arc<Breaker>,
}

impl RedisLink {
    /// A link to `redis://[user:password@]host[:port][/db]`.
    pub fn new(url: &str, clock: Clock) -> Result<Self, Failure> {
        Self::with_call_timeout(url, clock, CALL_TIMEOUT)
    }

    pub(super) fn with_call_timeout(url: &str, clock: Clock, call_timeout: Duration) -> Result<Self, Failure> {
        // The parser's error is dropped: it may quote the password.
        let client = Client::open(url)
            .map_err(|_| Failure::fault("the Redis URL is not of the form redis://[user:password@]host[:port][/db]"))?;
        let address = client.get_connection_info().addr().to_string();
        Ok(Self { client, call_timeout, breaker: Breaker::new(address, clock) })
    }

    /// Whether Redis was found away and has not come back yet.
    pub fn is_away(&self) -> bool {
        self.outage().is_some()
    }

    /// Why it was found away, if it has not come back yet.
    pub fn outage(&self) -> Option<String> {
        self.breaker.outage()
    }

    /// `host:port`, without a password.
    pub fn address(&self) -> &str {
        self.breaker.address()
    }

    /// Connects, unless that is done: whether it works is in the log then.
    pub async fn check(&self) {
        self.connection().await;
    }

    /// Runs a script once, never twice: whether a call that timed out took effect is unknown. `None` when Redis is away.
    /// The invocation is built after the connection is there, so that its arguments include what changed meanwhile.
    pub async fn run<'a, T: FromRedisValue>(&self, invocation: impl FnOnce() -> ScriptInvocation<'a>) -> Option<T> {
        let deadline = time::Instant::now() + self.call_timeout;
        let mut connection = time::timeout_at(deadline, self.connection()).await.ok().flatten()?;
        let call = invocation();
        let cause = match time::timeout_at(deadline, call.invoke_async(&mut connection.multiplexed)).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {:?}", self.call_timeout),
        };
        self.breaker.open(&connection, &cause);
        None
    }

    async fn connection(&self) -> Option<Connection> {
        match self.breaker.access() {
            Access::Connected(connection) => Some(connection),
            Access::Connect(attempt) => self.connect(attempt).await.ok().flatten(),
            Access::Unavailable => None,
        }
    }

    /// Connects in a task of its own, which goes on when the request that began it times out or is dropped.
    fn connect(&self, attempt: ConnectAttempt) -> JoinHandle<Option<Connection>> {
        let (client, timeout) = (self.client.clone(), self.call_timeout.max(CONNECT_TIMEOUT));
        tokio::spawn(async move {
            match time::timeout(timeout, dial(client)).await {
                Ok(Ok(multiplexed)) => return Some(attempt.succeed(multiplexed)),
                Ok(Err(error)) => attempt.fail(cause(&error)),
                Err(_) => attempt.fail(format!("no answer within {timeout:?}")),
            }
            None
        })
    }
}

/// Why connecting failed. What the server says is left out but for its code: some repeat the commands that they do not know,
/// with the password.
fn cause(error: &redis::RedisError) -> String {
    match error.code() {
        _ if error.is_io_error() => error.to_string(),
        Some(code) => format!("it answered {code}"),
        None => format!("{:?}", error.kind()),
    }
}

async fn dial(client: Client) -> RedisResult<MultiplexedConnection> {
    // The outer timeouts are the only ones.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None)
        .set_pipeline_buffer_size(PIPELINE_BUFFER);
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    // A frozen Redis has a kernel that accepts connections; only an answer shows that it works.
    redis::cmd("PING").exec_async(&mut connection).await?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_is_none_is_refused_without_its_password() {
        for url in ["", "localhost", "http://localhost/", "redis://:hunter2@[::1/", "redis://:hunter2@localhost/nine"] {
            let failure = RedisLink::new(url, Clock::System).err().expect(url);
            assert!(!format!("{failure} {failure:?}").contains("hunter2"), "{failure:?}");
        }
    }
}
