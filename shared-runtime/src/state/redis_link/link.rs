//! Script calls to Redis, each within [`CALL_TIMEOUT`], and periodic checks of the connection.

use std::{sync::Arc, time::Duration};

use redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisResult, ScriptInvocation, aio::MultiplexedConnection};
use shared_model::Failure;
use tokio::{
    task::JoinHandle,
    time::{self, error::Elapsed},
};

use super::{
    breaker::{Access, Breaker, ConnectAttempt, Connection},
    settings::RedisSettings,
};
use crate::base::clock::Clock;

// Connecting included. Without Redis a service still works, so a slow Redis must not delay requests much.
pub const CALL_TIMEOUT: Duration = Duration::from_millis(75);

// Connecting continues in the background; the request that began it waits only for [`CALL_TIMEOUT`].
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

const CHECK_INTERVAL: Duration = Duration::from_secs(3);

const PIPELINE_BUFFER: usize = 1024;

/// Cheap to clone. Connects at the first check or call.
#[derive(Clone)]
pub struct RedisLink {
    client: Client,
    call_timeout: Duration,
    breaker: Arc<Breaker>,
}

impl RedisLink {
    pub fn new(settings: &RedisSettings, clock: Clock) -> Result<Self, Failure> {
        Self::with_call_timeout(settings, clock, CALL_TIMEOUT)
    }

    pub(super) fn with_call_timeout(
        settings: &RedisSettings,
        clock: Clock,
        call_timeout: Duration,
    ) -> Result<Self, Failure> {
        let client = settings.client().map_err(|(setting, rule)| Failure::fault(format!("{setting} {rule}")))?;
        let address = client.get_connection_info().addr().to_string();
        Ok(Self { client, call_timeout, breaker: Breaker::new(address, clock) })
    }

    pub fn outage(&self) -> Option<String> {
        self.breaker.outage()
    }

    /// `host:port`, without a password.
    pub fn address(&self) -> &str {
        self.breaker.address()
    }

    /// Connects, or pings on the present connection. The result is logged and shown by [`Self::outage`].
    pub async fn check(&self) {
        if let Some(mut connection) = self.connection().await {
            let timeout = self.connect_timeout();
            let answer = time::timeout(timeout, redis::cmd("PING").exec_async(&mut connection.multiplexed)).await;
            self.outcome(&connection, answer, timeout);
        }
    }

    /// Checks every few seconds. Without it, an outage would go unnoticed while there are no requests.
    pub async fn keep_checking(self) {
        loop {
            time::sleep(CHECK_INTERVAL).await;
            self.check().await;
        }
    }

    /// Runs a script once; `None` when Redis is away. `invocation` is built after connecting, so that its arguments are
    /// up to date. A call that timed out is not repeated, because it may have taken effect.
    pub async fn run<'a, T: FromRedisValue>(&self, invocation: impl FnOnce() -> ScriptInvocation<'a>) -> Option<T> {
        let deadline = time::Instant::now() + self.call_timeout;
        let mut connection = time::timeout_at(deadline, self.connection()).await.ok().flatten()?;
        let call = invocation();
        let answer = time::timeout_at(deadline, call.invoke_async(&mut connection.multiplexed)).await;
        self.outcome(&connection, answer, self.call_timeout)
    }

    // Returns the answer, or takes the failed connection out of use.
    fn outcome<T>(
        &self,
        connection: &Connection,
        answer: Result<RedisResult<T>, Elapsed>,
        timeout: Duration,
    ) -> Option<T> {
        let cause = match answer {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {timeout:?}"),
        };
        self.breaker.open(connection, &cause);
        None
    }

    fn connect_timeout(&self) -> Duration {
        self.call_timeout.max(CONNECT_TIMEOUT)
    }

    async fn connection(&self) -> Option<Connection> {
        match self.breaker.access() {
            Access::Connected(connection) => Some(connection),
            Access::Connect(attempt) => self.connect(attempt).await.ok().flatten(),
            Access::Unavailable => None,
        }
    }

    // Connects in its own task, which continues when the request times out or is dropped.
    fn connect(&self, attempt: ConnectAttempt) -> JoinHandle<Option<Connection>> {
        let (client, timeout) = (self.client.clone(), self.connect_timeout());
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

// Why connecting failed. Of an error from the server only the code is shown: some servers repeat the unknown command,
// which may hold the password.
fn cause(error: &redis::RedisError) -> String {
    match error.code() {
        _ if error.is_io_error() => error.to_string(),
        Some(code) => format!("it answered {code}"),
        None => format!("{:?}", error.kind()),
    }
}

async fn dial(client: Client) -> RedisResult<MultiplexedConnection> {
    // Only the timeouts around this call apply.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        .set_response_timeout(None)
        .set_pipeline_buffer_size(PIPELINE_BUFFER);
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    // The kernel accepts connections for a frozen Redis. Only an answer shows that it works.
    redis::cmd("PING").exec_async(&mut connection).await?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use shared_model::Timestamp;

    use super::*;
    use crate::state::redis_link::{breaker::RETRY_INTERVAL, test_server::RedisServer};

    #[tokio::test]
    async fn checks_alone_detect_the_begin_and_the_end_of_an_outage() {
        let mut redis = RedisServer::start();
        let clock = Clock::at(Timestamp::from_seconds(1_800_000_000));
        let link = redis.link(&clock);
        link.check().await;
        assert_eq!(link.outage(), None);
        redis.kill();
        link.check().await;
        assert!(link.outage().is_some());
        redis.restart();
        link.check().await;
        assert!(link.outage().is_some(), "still within the retry interval");
        clock.advance(RETRY_INTERVAL);
        link.check().await;
        assert_eq!(link.outage(), None);
    }

    #[test]
    fn a_wrong_url_is_refused_without_quoting_its_password() {
        for url in [
            "",
            "localhost",
            "http://localhost/",
            "redis://:hunter2@[::1/",
            "redis://:hunter2@localhost/nine",
            "rediss://:hunter2@localhost/#insecure",
        ] {
            let failure = RedisLink::new(&RedisSettings::at(url), Clock::System).err().expect(url);
            assert!(!format!("{failure} {failure:?}").contains("hunter2"), "{failure:?}");
        }
    }
}
