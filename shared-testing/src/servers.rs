//! The servers of a test run: `TEST_POSTGRES_URL` and `TEST_REDIS_URL`, or neither (SQLite and local counters).

use std::{
    net::{SocketAddr, ToSocketAddrs as _},
    ops::Range,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::free_port::free_address;

#[derive(Clone, Debug)]
pub struct Servers {
    /// URL of a superuser of a PostgreSQL cluster that may be destroyed.
    pub postgres: String,
    pub redis: String,
    /// Whether all stages use the Redis database of the URL. Otherwise each takes its own.
    pub is_shared: bool,
}

impl Servers {
    pub fn postgres_address(&self) -> SocketAddr {
        let (host, _) = self.postgres_host();
        host.to_socket_addrs().ok().and_then(|mut found| found.next()).expect("the host of TEST_POSTGRES_URL is known")
    }

    /// The same servers, with PostgreSQL behind a relay at this address.
    pub fn behind(&self, relay: SocketAddr) -> Self {
        let (_, at) = self.postgres_host();
        let mut postgres = self.postgres.clone();
        postgres.replace_range(at, &relay.to_string());
        Self { postgres, ..self.clone() }
    }

    /// Host and port in the URL, and their position.
    fn postgres_host(&self) -> (&str, Range<usize>) {
        // The last `@`: a password may contain one.
        let begin = self.postgres.rfind('@').or_else(|| self.postgres.find("//").map(|at| at + 1)).expect("a URL") + 1;
        let end = self.postgres[begin..].find('/').map_or(self.postgres.len(), |length| begin + length);
        (&self.postgres[begin..end], begin..end)
    }

    /// URL of a Redis database for one more stage.
    pub fn redis_url(&self) -> String {
        if self.is_shared { self.redis.clone() } else { fresh_redis(&self.redis) }
    }
}

/// The servers from the environment. Panics if only one of the two is set.
pub fn of_this_run() -> Option<Servers> {
    match (std::env::var("TEST_POSTGRES_URL"), std::env::var("TEST_REDIS_URL")) {
        (Ok(postgres), Ok(redis)) => Some(Servers { postgres, redis, is_shared: false }),
        (Err(_), Err(_)) => None,
        _ => panic!("TEST_POSTGRES_URL and TEST_REDIS_URL are set together or not at all"),
    }
}

/// The servers for a test with `#[ignore = "needs PostgreSQL"]`. Panics if the run has none.
pub fn needed() -> Servers {
    of_this_run().expect("this test needs TEST_POSTGRES_URL and TEST_REDIS_URL")
}

// Redis itself counts, because test processes run in parallel and must not share a database.
pub fn fresh_redis(url: &str) -> String {
    let base = url.trim_end_matches('/');
    let mut connection = connect(base);
    let ticket: u64 = redis::cmd("INCR").arg("stages").query(&mut connection).expect("Redis counts stages");
    let (_, databases): (String, u64) =
        redis::cmd("CONFIG").arg("GET").arg("databases").query(&mut connection).expect("Redis tells its databases");
    assert!(databases >= 1_000, "start Redis with --databases 10000: stages take a database each, it has {databases}");
    // Database 0 holds the counter.
    let own = format!("{base}/{}", 1 + ticket % (databases - 1));
    // After as many stages as databases, numbers repeat.
    redis::cmd("FLUSHDB").exec(&mut connect(&own)).expect("Redis clears a database");
    own
}

/// A Redis process for one test. Needs `redis-server`.
pub struct Redis {
    pub url: String,
    process: Child,
}

impl Redis {
    /// Starts Redis on a free port, without persistence.
    pub fn start() -> Self {
        let port = free_address().port();
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let mut redis = Self { url: format!("redis://127.0.0.1:{port}"), process };
        // Redis reports no readiness, so connect until it answers.
        while redis::Client::open(redis.url.as_str()).is_ok_and(|client| client.get_connection().is_err()) {
            let ended = redis.process.try_wait().expect("our own child can be waited for");
            assert!(ended.is_none(), "redis-server ended before it listened: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        redis
    }

    pub fn keys(&self) -> u64 {
        redis::cmd("DBSIZE").query(&mut connect(&self.url)).expect("Redis counts its keys")
    }

    /// Deletes everything, like a failover without a replica.
    pub fn flush_all(&self) {
        redis::cmd("FLUSHALL").exec(&mut connect(&self.url)).expect("Redis forgets");
    }

    /// Sends a signal (`STOP`, `CONT`).
    pub fn signal(&self, name: &str) {
        signal(self.process.id(), name);
    }

    pub fn kill(&mut self) {
        self.process.kill().expect("our own child can be killed");
        // Without `wait`, the process stays a zombie and its port may stay bound.
        self.process.wait().expect("our own child can be waited for");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn signal(process: u32, name: &str) {
    let signal = match name {
        "TERM" => Signal::TERM,
        "QUIT" => Signal::QUIT,
        "INT" => Signal::INT,
        "STOP" => Signal::STOP,
        "CONT" => Signal::CONT,
        other => panic!("no test sends {other}"),
    };
    let process = i32::try_from(process).ok().and_then(Pid::from_raw).expect("the id of a process");
    kill_process(process, signal).expect("our own child can be signalled");
}

fn connect(url: &str) -> redis::Connection {
    let client = redis::Client::open(url).expect("a Redis URL");
    client.get_connection().unwrap_or_else(|error| panic!("Redis answers at {url}: {error}"))
}
