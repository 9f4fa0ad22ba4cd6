//! Which servers this run has: `TEST_POSTGRES_URL` and `TEST_REDIS_URL` together, or neither (SQLite, local counters).

/// The servers of a run.
#[derive(Clone, Debug)]
pub struct Servers {
    /// A superuser's URL of a throwaway PostgreSQL cluster.
    pub postgres: String,
    /// A Redis with many databases (`redis-server --databases 10000`): each stage takes one of its own.
    pub redis: String,
}

/// The servers that the environment names; `None` when the run is embedded. One without the other is a mistake.
pub fn of_this_run() -> Option<Servers> {
    match (std::env::var("TEST_POSTGRES_URL"), std::env::var("TEST_REDIS_URL")) {
        (Ok(postgres), Ok(redis)) => Some(Servers { postgres, redis }),
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

/// Forgets everything that Redis knows, in all databases: what a failover without a replica does.
pub fn flush_all(url: &str) {
    redis::cmd("FLUSHALL").exec(&mut connect(url)).expect("Redis forgets");
}

fn connect(url: &str) -> redis::Connection {
    let client = redis::Client::open(url).expect("TEST_REDIS_URL is a Redis URL");
    client.get_connection().expect("Redis answers at TEST_REDIS_URL")
}
