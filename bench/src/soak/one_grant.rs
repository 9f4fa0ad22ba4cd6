//! One grant with far too many requests that do not move on, beside another grant's reads.

use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_testing::{
    Caller, ServiceProcess, Text as _,
    attacks::{Afterwards, beside, stalling},
    servers::{Redis, Servers},
};
use tokio::time::{Instant, sleep};

use super::verdict::Verdict;
use crate::{binaries, document::document, process, service::unlimited};

const CHUNK: usize = 1 << 20;
const SENT: usize = 160 * 1024;
const DOWNLOAD_CHUNKS: usize = 16;
const A_TENTH: Duration = Duration::from_millis(100);
// A client that is refused counts as one that waited this long.
const AT_MOST: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(5);
// Each wakes all polls of the workspace.
const BETWEEN_WRITES: Duration = Duration::from_millis(500);
const BETWEEN_SAMPLES: Duration = Duration::from_millis(100);

struct Attack {
    what: &'static str,
    connections: u32,
    afterwards: Afterwards,
    request: Vec<u8>,
}

/// Four attacks, a quarter of `length` each, on fresh processes.
pub async fn stalls(postgres: Option<&str>, length: Duration, verdict: &mut Verdict) -> Result<()> {
    let redis = Redis::start();
    let servers = postgres.map(|url| Servers { postgres: url.to_owned(), redis: redis.url.clone(), is_shared: true });
    let fresh = || started(servers.clone());
    let cloud = fresh().await?;
    beside_others(&cloud, half_sent_uploads(&cloud).await, length / 4, verdict).await?;
    let cloud = fresh().await?;
    beside_others(&cloud, long_polls(&cloud).await, length / 4, verdict).await?;
    let cloud = fresh().await?;
    beside_others(&cloud, unread_calls(&cloud).await, length / 4, verdict).await?;
    let cloud = fresh().await?;
    beside_others(&cloud, unread_downloads(&cloud).await, length / 4, verdict).await
}

async fn started(servers: Option<Servers>) -> Result<ServiceProcess> {
    // Without rate limits: only the bounds stop the attacks.
    let limits = unlimited(&cloud_svc::service());
    let settings = [("RUST_LOG", "error"), ("RATE_LIMITS", &*limits)];
    Ok(ServiceProcess::on(binaries::of("cloud-svc")?, cloud_svc::service(), servers, &settings).await)
}

async fn beside_others(cloud: &ServiceProcess, attack: Attack, length: Duration, verdict: &mut Verdict) -> Result<()> {
    let Attack { what, connections, afterwards, request } = attack;
    let ground = if cloud.database_url().starts_with("sqlite:") { "SQLite" } else { "PostgreSQL + Redis" };
    let seconds = length.as_secs();
    Verdict::note(&format!("{connections} {what} of one grant, for {seconds} s (cloud-svc, {ground})"));
    let (bob, address) = (cloud.caller("bob"), cloud.address());
    let created = bob.post("/v1/documents").fresh_key().json(document(2_048)).await.status(200);
    let path = format!("/v1/documents/{}", created["file"]["id"].text());
    let attacker = beside(async move || stalling(address, &request, connections, afterwards, length).await);
    // Meanwhile, because the attack closes its connections at its end.
    let descriptors = most_descriptors(cloud.pid(), length);
    let (waited, (), descriptors) = tokio::join!(reads(&bob, &path, length), writes(&bob, length), descriptors);
    let stalled = attacker.join().map_err(|_| anyhow!("the attack broke"))?;
    // Those that repeat are closed by the service, so they count by its refusals.
    verdict.at_least("connections held, and refusals", stalled.open + stalled.refused, u64::from(connections));
    verdict.at_most("peak memory", process::peak_mib(cloud.pid())?, 100.0, "MiB");
    verdict.at_most("most open descriptors", descriptors? as f64, f64::from(connections) + 500.0, "files");
    verdict.within(&format!("reads of another grant, p99 of {}", waited.len()), p99(&waited), A_TENTH);
    Ok(())
}

/// Reads one after the other. Returns the waiting times, in order.
async fn reads(caller: &Caller, path: &str, length: Duration) -> Vec<Duration> {
    let until = Instant::now() + length;
    let mut waited = Vec::new();
    while Instant::now() < until {
        let begun = Instant::now();
        let is_answered = caller.get(path).send().await.is_ok_and(|answer| answer.status == 200);
        waited.push(if is_answered { begun.elapsed() } else { AT_MOST });
        sleep(PAUSE).await;
    }
    waited.sort();
    waited
}

async fn writes(caller: &Caller, length: Duration) {
    let until = Instant::now() + length;
    while Instant::now() < until {
        // What matters is the wake, not the answer.
        let _ = caller.post("/v1/folders").fresh_key().json(json!({"name": "News"})).send().await;
        sleep(BETWEEN_WRITES).await;
    }
}

/// The most that the process has open at once, of samples during `length`.
async fn most_descriptors(pid: u32, length: Duration) -> Result<usize> {
    let until = Instant::now() + length;
    let mut most = 0;
    while Instant::now() < until {
        most = most.max(process::descriptors(pid)?);
        sleep(BETWEEN_SAMPLES).await;
    }
    Ok(most)
}

fn p99(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() * 99 / 100).copied().unwrap_or(Duration::MAX)
}

/// With half of the body.
async fn half_sent_uploads(cloud: &ServiceProcess) -> Attack {
    let ada = cloud.caller("ada");
    let id = begin(&ada, 2 * SENT).await;
    let length = format!("Content-Type: application/octet-stream\r\nContent-Length: {}", 2 * SENT);
    let head = head(&ada, cloud, &format!("PUT /v1/uploads/{id}/chunks/0"), &length);
    let request = [head, vec![7; SENT]].concat();
    Attack { what: "uploads, half sent,", connections: 3_000, afterwards: Afterwards::Repeats, request }
}

async fn long_polls(cloud: &ServiceProcess) -> Attack {
    let ada = cloud.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let target = format!("GET /v1/changes?cursor={cursor}&wait_seconds=25&types=file.purged");
    let request = head(&ada, cloud, &target, "Accept: */*");
    Attack { what: "long-polls", connections: 3_000, afterwards: Afterwards::Repeats, request }
}

async fn unread_calls(cloud: &ServiceProcess) -> Attack {
    let ada = cloud.caller("ada");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    let accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream";
    let length = format!("{accept}\r\nContent-Length: {}", call.len());
    let request = [head(&ada, cloud, "POST /mcp", &length), call.into_bytes()].concat();
    Attack { what: "calls of /mcp, unread,", connections: 1_000, afterwards: Afterwards::ReadsNothing, request }
}

async fn unread_downloads(cloud: &ServiceProcess) -> Attack {
    let ada = cloud.caller("ada");
    let bytes = vec![7; DOWNLOAD_CHUNKS * CHUNK];
    let id = begin(&ada, bytes.len()).await;
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        let sent = ada.request("PUT", format!("/v1/uploads/{id}/chunks/{index}"));
        sent.body("application/octet-stream", chunk).await.status(200);
    }
    let completed = ada.post(format!("/v1/uploads/{id}/complete")).fresh_key().json(json!({})).await.status(200);
    let file = completed["file"]["id"].text().to_owned();
    let link = ada.post(format!("/v1/files/{file}/download-grants")).fresh_key().json(json!({})).await.status(200);
    let url = link["download"]["url"].text().to_owned();
    let path = url.splitn(4, '/').last().unwrap_or_default().to_owned();
    let request = head(&ada, cloud, &format!("GET /{path}"), "Accept: */*");
    Attack { what: "downloads, unread,", connections: 500, afterwards: Afterwards::ReadsNothing, request }
}

async fn begin(caller: &Caller, size: usize) -> String {
    let sha256 = Sha256::digest(vec![7; size]);
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let claim = json!({"name": "Noise", "mime": "application/octet-stream", "size": size, "sha256": sha256});
    let begun = caller.post("/v1/uploads").fresh_key().json(claim).await.status(200);
    begun["upload"]["id"].text().to_owned()
}

fn head(caller: &Caller, cloud: &ServiceProcess, target: &str, further: &str) -> Vec<u8> {
    let (host, token) = (cloud.address(), caller.token());
    format!("{target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{further}\r\n\r\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[tokio::test]
    async fn descriptors_count_that_are_closed_before_the_end() {
        let own = std::process::id();
        let briefly = async {
            let held: Vec<_> = (0..200).map(|_| File::open("/dev/null").expect("it opens")).collect();
            sleep(2 * BETWEEN_SAMPLES).await;
            drop(held);
        };
        let ((), most) = tokio::join!(briefly, most_descriptors(own, 4 * BETWEEN_SAMPLES));
        assert!(most.is_ok_and(|most| most >= 200));
    }
}
