//! A PostgreSQL server that accepts connections and never answers, like a hung machine.

use std::time::Duration;

use anyhow::{Result, ensure};
use futures_util::future::join_all;
use shared_testing::{
    Caller, Relay, ServiceProcess,
    servers::{Redis, Servers},
};
use tokio::time::{Instant, sleep, timeout};

use super::verdict::Verdict;
use crate::binaries;

const CLIENTS: usize = 16;
// Far longer than promised: a service that never recovers must fail the soak, not hang it.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// Sends requests while the database is frozen and after its thaw, then stops the service while it is frozen again.
pub async fn for_a_while(postgres: &str, length: Duration, verdict: &mut Verdict) -> Result<()> {
    Verdict::note(&format!("PostgreSQL is frozen for {} s (cloud-svc)", length.as_secs()));
    let redis = Redis::start();
    let servers = Servers { postgres: postgres.to_owned(), redis: redis.url.clone(), is_shared: true };
    let relay = Relay::to(servers.postgres_address());
    let environment = [("RUST_LOG", "off"), ("RATE_LIMITS", "read=1000000")];
    let program = binaries::of("cloud-svc")?;
    let behind = Some(servers.behind(relay.address));
    let mut cloud = ServiceProcess::on(program, cloud_svc::service(), behind, &environment).await;
    let ada = cloud.caller("ada");
    ada.get("/v1/workspaces").await.status(200);

    relay.freeze();
    let until = Instant::now() + length;
    let slowest = join_all((0..CLIENTS).map(|_| client(&ada, until))).await;
    let slowest = slowest.into_iter().collect::<Result<Vec<_>>>()?.into_iter().max().unwrap_or_default();
    verdict.within("slowest request", slowest, Duration::from_secs(10));

    // Asks the same process: it must replace its old connections, and a new process would have none.
    relay.thaw();
    let begun = Instant::now();
    while !is_served(&ada).await {
        ensure!(begun.elapsed() < GIVEN_UP, "no request succeeds after the thaw");
        sleep(Duration::from_millis(50)).await;
    }
    verdict.within("until requests succeed after the thaw", begun.elapsed(), Duration::from_secs(6));

    relay.freeze();
    ensure!(!is_served(&ada).await, "a frozen database answers");
    cloud.signal("TERM");
    let begun = Instant::now();
    let ended = cloud.ended().await;
    verdict.within("SIGTERM", begun.elapsed(), Duration::from_secs(25));
    ensure!(ended.success(), "a stop with a frozen database: {ended}");
    Ok(())
}

/// A connection that breaks is not an answer either.
async fn is_served(ada: &Caller) -> bool {
    let asked = timeout(GIVEN_UP, ada.get("/v1/workspaces").send()).await;
    asked.is_ok_and(|answer| answer.is_ok_and(|answer| answer.status == 200))
}

/// Sends requests until `until`. Returns the slowest time.
async fn client(ada: &Caller, until: Instant) -> Result<Duration> {
    let mut slowest = Duration::ZERO;
    while Instant::now() < until {
        let begun = Instant::now();
        let status = ada.get("/v1/workspaces").send().await?.status;
        // A wrong answer would be worse than none.
        ensure!(status == 503, "{status} from a frozen database");
        slowest = slowest.max(begun.elapsed());
        sleep(Duration::from_millis(20)).await;
    }
    Ok(slowest)
}
