//! Which servers this run has: `TEST_POSTGRES_URL` and `TEST_REDIS_URL` together, or neither (SQLite, local counters).

use std::{
    net::{SocketAddr, ToSocketAddrs as _},
    ops::Range,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::free_port::free_address;

/// The servers of a run.
#[derive(Clone, Debug)]
pub struct Servers {
    /// A superuser's URL of a throwaway PostgreSQL cluster.
    pub postgres: String,
    /// A Redis, by its URL.
    pub redis: String,
    /// Whether all use the one database of that URL. Otherwise each stage takes one of its own, of a Redis with many
    /// (`redis-server --databases 10000`).
    pub is_shared: bool,
}

impl Servers {
    /// Where PostgreSQL listens.
    pub fn postgres_address(&self) -> SocketAddr {
        let (host, _) = self.postgres_host();
        host.to_socket_addrs().ok().and_then(|mut found| found.next()).expect("the host of TEST_POSTGRES_URL is known")
    }

    /// The same, but for PostgreSQL behind a relay at this address.
    pub fn behind(&self, relay: SocketAddr) -> Self {
        let (_, at) = self.postgres_host();
        let mut postgres = self.postgres.clone();
        postgres.replace_range(at, &relay.to_string());
        Self { postgres, ..self.clone() }
    }

    /// The host and port of the URL, and where they stand in it.
    fn postgres_host(&self) -> (&str, Range<usize>) {
        let begin = self.postgres.rfind('@').or_else(|| self.postgres.find("//").map(|at| at + 1)).expect("a URL") + 1;
        let end = self.postgres[begin..].find('/').map_or(self.postgres.len(), |length| begin + length);
        (&self.postgres[begin..end], begin..end)
    }

    /// The Redis database of one more stage: its URL.
    pub fn redis_url(&self) -> String {
        if self.is_shared { self.redis.clone() } else { fresh_redis(&self.redis) }
    }
}

/// The servers that the environment names; `None` when the run is embedded. One without the other is a mistake.
pub fn of_this_run() -> Option<Servers> {
    match (std::env::var("TEST_POSTGRES_URL"), std::env::var("TEST_REDIS_URL")) {
        (Ok(postgres), Ok(redis)) => Some(Servers { postgres, redis, is_shared: false }),
        (Err(_), Err(_)) => None,
        _ => panic!("TEST_POSTGRES_URL and TEST_REDIS_URL are set together or not at all"),
    }
}

/// A Redis database that no other stage uses: its URL. Databases are taken in turn, across all test processes.
pub fn fresh_redis(url: &str) -> String {
    let base = url.trim_end_matches('/');
    let mut connection = connect(base);
    let ticket: u64 = redis::cmd("INCR").arg("stages").query(&mut connection).expect("Redis counts stages");
    let (_, databases): (String, u64) =
        redis::cmd("CONFIG").arg("GET").arg("databases").query(&mut connection).expect("Redis tells its databases");
    assert!(databases >= 1_000, "start Redis with --databases 10000: stages take a database each, it has {databases}");
    let own = format!("{base}/{}", 1 + ticket % (databases - 1));
    redis::cmd("FLUSHDB").exec(&mut connect(&own)).expect("Redis clears a database");
    own
}

/// A Redis of the test's own, to be emptied and killed. `redis-server` must be installed.
pub struct Redis {
    /// Where it listens.
    pub url: String,
    process: Child,
}

impl Redis {
    /// Starts one on a free port, keeping nothing on disk.
    pub fn start() -> Self {
        let port = free_address().port();
        let process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let mut redis = Self { url: format!("redis://127.0.0.1:{port}"), process };
        while redis::Client::open(redis.url.as_str()).is_ok_and(|client| client.get_connection().is_err()) {
            let ended = redis.process.try_wait().expect("our own child can be waited for");
            assert!(ended.is_none(), "redis-server ended before it listened: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        redis
    }

    /// How many keys it holds.
    pub fn keys(&self) -> u64 {
        redis::cmd("DBSIZE").query(&mut connect(&self.url)).expect("Redis counts its keys")
    }

    /// Forgets everything: what a failover without a replica does.
    pub fn flush_all(&self) {
        redis::cmd("FLUSHALL").exec(&mut connect(&self.url)).expect("Redis forgets");
    }

    /// Sends it a signal (`STOP`, `CONT`).
    pub fn signal(&self, name: &str) {
        signal(self.process.id(), name);
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.process.kill().expect("our own child can be killed");
        self.process.wait().expect("our own child can be waited for");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to a child of ours.
pub(crate) fn signal(process: u32, name: &str) {
    let signal = match name {
        "TERM" => Signal::TERM,
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
