//! `bench order-reads`: authenticated reads of random orders, alternately from a small and a large database.

use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;

use crate::{
    ceiling,
    load::{self, Load, Measured},
    order_file, report,
    service::UnderLoad,
};

#[derive(Args, Clone)]
pub struct Sizes {
    #[command(flatten)]
    load: Load,
    /// Orders in the small database
    #[arg(long, default_value_t = 1_000)]
    few: u64,
    /// Orders in the large database
    #[arg(long, default_value_t = 1_000_000)]
    many: u64,
}

pub async fn run(sizes: &Sizes) -> Result<()> {
    let load = &sizes.load;
    let sides = [(sizes.few, stocked(load, sizes.few).await?), (sizes.many, stocked(load, sizes.many).await?)];
    println!("order reads: one order a request, {} connections, {}", load.connections, load.ground());
    for (orders, service) in &sides {
        send(load, service, *orders, Duration::from_secs(1)).await?;
    }
    let mut totals = [Measured::nothing()?, Measured::nothing()?];
    for _ in 0..load.rounds {
        for (total, (orders, service)) in totals.iter_mut().zip(&sides) {
            total.add(&send(load, service, *orders, load.round()).await?)?;
        }
    }
    report::head();
    for (total, (orders, _)) in totals.iter().zip(&sides) {
        report::line(&format!("GET …/orders/{{order_id}} of {orders}"), total);
    }
    let [few, many] = &totals;
    ceiling::check(load, few).await?;
    report::ratios(&[report::ratio("order_reads_many_vs_few", many.rate(), few.rate())]);
    Ok(())
}

/// A service with this many orders, all owned by Ada.
async fn stocked(load: &Load, orders: u64) -> Result<UnderLoad> {
    let service = UnderLoad::start("orders-svc", orders_svc::service(), load.servers(), 1).await?;
    let folder = tempfile::tempdir()?;
    let (file, _) = order_file::write(folder.path(), orders, |_| "ada".to_owned())?;
    let imported = service.first().command(&["import"]).arg(&file).status()?;
    if imported.success() { Ok(service) } else { Err(anyhow!("orders-svc import failed")) }
}

async fn send(load: &Load, service: &UnderLoad, orders: u64, round: Duration) -> Result<Measured> {
    let tail = format!(
        " HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nauthorization: Bearer {}\r\n\r\n",
        service.first().address(),
        service.first().caller("ada").token()
    );
    // Xorshift (Marsaglia): cheap, and random enough to defeat caches.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    load::run(&service.targets(), load.connections, round, move |next| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        next.extend_from_slice(b"GET /wp-json/service-net/v1/orders/");
        next.extend_from_slice(order_file::id(state % orders).as_bytes());
        next.extend_from_slice(tail.as_bytes());
    })
    .await
}
