//! `bench start`: time from the start of a service to its first answer, and idle memory.

use std::time::Duration;

use anyhow::{Result, anyhow};
use shared_runtime::service::Service;
use shared_testing::ServiceProcess;
use tokio::time::Instant;

use crate::{binaries, process, report};

/// Starts each service twice: on an empty database and on the migrated one.
pub async fn run() -> Result<()> {
    let mut ratios = Vec::new();
    println!("{:<14} {:>18} {:>18} {:>12}", "", "first start ms", "second start ms", "idle MiB");
    let services: [(&str, Service, &str); 4] = [
        ("locker-svc", locker_svc::service(), "/api/v1/billing/subscriptions"),
        ("cloud-svc", cloud_svc::service(), "/v1/workspaces"),
        ("orders-svc", orders_svc::service(), "/wp-json/service-net/v1/orders/ord_00000000000000000000000000000000"),
        ("trust-svc", trust_svc::service(), "/no-such-route"),
    ];
    for (name, service, path) in services {
        let program = binaries::of(name)?;
        let begun = Instant::now();
        let mut child = ServiceProcess::on(program, service, None, &[("RUST_LOG", "warn")]).await;
        let first = answered(&child, path, begun).await?;
        // SIGKILL, because the second start must cope with whatever the first left behind.
        child.kill();
        let begun = Instant::now();
        child.start(&[("RUST_LOG", "warn")]).await;
        let second = answered(&child, path, begun).await?;
        // By then, threads and caches that a start needs have been released.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let idle = process::resident_mib(child.pid())?;
        println!("{name:<14} {:>18.1} {:>18.1} {idle:>12.1}", millis(first), millis(second));
        ratios.push(report::ratio(
            &format!("start_{}_second_vs_first", name.replace('-', "_")),
            millis(second),
            millis(first),
        ));
    }
    report::ratios(&ratios);
    Ok(())
}

/// Time until the API answers; where possible, with an authenticated read from the database.
async fn answered(child: &ServiceProcess, path: &str, begun: Instant) -> Result<Duration> {
    let answer = child.caller("ada").get(path).await;
    let elapsed = begun.elapsed();
    if answer.status < 500 { Ok(elapsed) } else { Err(anyhow!("{answer}")) }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
