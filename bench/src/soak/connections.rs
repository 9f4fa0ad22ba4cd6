//! Attacks without a token, on connections.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use anyhow::{Result, anyhow};
use shared_testing::{
    ServiceProcess,
    attacks::{self, beside, idle_connections, new_clients},
    certificate,
};
use tokio::time::sleep;

use super::verdict::Verdict;
use crate::{binaries, process};

// A route that does not exist: the cheapest request for the attacker.
const PATH: &str = "/n";
// Many connections, and still below the usual limit of 1024 open files, which also covers the measuring clients.
const PIPELINES: usize = 224;
const HANDSHAKES_A_SECOND: u32 = 400;
const IDLE: usize = 10_000;
const OPEN_FILES: usize = 1_024;
// The service must be able to open a file of its own under the attack.
const FREE_FILES: usize = 32;

const A_TENTH: Duration = Duration::from_millis(100);
const ONE_SECOND: Duration = Duration::from_secs(1);

pub async fn pipelining_unread(length: Duration, verdict: &mut Verdict) -> Result<()> {
    let seconds = length.as_secs();
    Verdict::note(&format!(
        "{PIPELINES} connections pipeline requests for {seconds} s and read no answers (trust-svc)"
    ));
    let trust = trust(&[]).await?;
    let (address, pid) = (trust.address(), trust.pid());
    // Trust, because its routes need no token: this is what an anonymous attacker can reach.
    let idle = process::resident_mib(pid)?;
    let attack = beside(move || attacks::pipelining(address, PIPELINES, length));
    let others = new_clients(address, PATH, length).await;
    let taken = attack.join().map_err(|_| anyhow!("the attack broke"))?;
    verdict.at_least("bytes accepted by the service", taken, PIPELINES as u64 * (64 << 10));
    verdict.at_most("peak memory", process::peak_mib(pid)?, 100.0, "MiB");
    verdict.within("other clients, p99", others.quantile(0.99), A_TENTH);
    // Memory must return to the system after the attack, not only stop growing.
    sleep(length).await;
    verdict.at_most(&format!("memory {seconds} s later ({idle:.0} before)"), process::resident_mib(pid)?, 50.0, "MiB");
    Ok(())
}

pub async fn handshakes_held(length: Duration, verdict: &mut Verdict) -> Result<()> {
    Verdict::note(&format!(
        "{HANDSHAKES_A_SECOND} TLS handshakes per second begin and never end, for {} s (trust-svc)",
        length.as_secs()
    ));
    let folder = tempfile::tempdir()?;
    let (chain, key) = certificate(folder.path());
    let tls = shared_testing::free_address();
    let trust = trust(&[
        ("TLS_LISTEN_ADDR", &tls.to_string()),
        ("TLS_CERTIFICATES", &chain.display().to_string()),
        ("TLS_KEY", &key.display().to_string()),
    ])
    .await?;
    let attack = beside(move || attacks::unfinished_handshakes(tls, HANDSHAKES_A_SECOND, length));
    let others = new_clients(trust.address(), PATH, length).await;
    let begun = attack.join().map_err(|_| anyhow!("the attack broke"))?;
    let most = u64::from(HANDSHAKES_A_SECOND) * length.as_secs();
    verdict.at_least("handshakes begun", begun as u64, most * 9 / 10);
    // Handshakes take processor time, which clients of the plain port must not notice.
    verdict.within("new clients without TLS, p99", others.quantile(0.99), A_TENTH);
    Ok(())
}

/// Opens many more idle connections than the service accepts.
pub async fn idle_by_the_thousand(length: Duration, verdict: &mut Verdict) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let limited = folder.path().join("limited");
    let program = binaries::of("trust-svc")?;
    // A wrapper script, because the limit must hold for the service alone and not for the attacker.
    fs::write(&limited, format!("#!/bin/sh\nulimit -n {OPEN_FILES}\nexec '{}' \"$@\"\n", program.display()))?;
    fs::set_permissions(&limited, fs::Permissions::from_mode(0o700))?;
    let trust = ServiceProcess::on(limited, trust_svc::service(), None, &[("RUST_LOG", "error")]).await;
    let idle = idle_connections(trust.address(), IDLE).await;
    Verdict::note(&format!(
        "idle connections against a limit of {OPEN_FILES} open files, for {} s (trust-svc)",
        length.as_secs()
    ));
    verdict.at_least("idle connections opened", idle.taken() as u64, IDLE as u64);
    let others = new_clients(trust.address(), PATH, length).await;
    let probes = new_clients(trust.ops_address(), "/livez", ONE_SECOND).await;
    verdict.within("slowest new client", others.slowest(), ONE_SECOND);
    verdict.within("slowest /livez", probes.slowest(), ONE_SECOND);
    let promised = (OPEN_FILES - FREE_FILES) as f64;
    verdict.at_most("open descriptors", process::descriptors(trust.pid())? as f64, promised, "files");
    Ok(())
}

async fn trust(environment: &[(&'static str, &str)]) -> Result<ServiceProcess> {
    let environment = [&[("RUST_LOG", "error")], environment].concat();
    Ok(ServiceProcess::on(binaries::of("trust-svc")?, trust_svc::service(), None, &environment).await)
}
