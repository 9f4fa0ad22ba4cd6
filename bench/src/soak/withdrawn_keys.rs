//! An issuer that withdraws all its keys.

use std::{fs, time::Duration};

use anyhow::Result;
use shared_testing::ServiceProcess;
use tokio::time::{Instant, sleep};

use super::verdict::Verdict;
use crate::binaries;

const LIST: &str = "/wp-json/service-net/v1/orders";
/// Keys are fetched anew this often, whatever comes.
const REFRESH: Duration = Duration::from_secs(300);

/// A key set without keys: tokens of the old ones are refused once it is fetched.
pub async fn emptied(verdict: &mut Verdict) -> Result<()> {
    Verdict::note("the issuer publishes a key set without a key (orders-svc)");
    let program = binaries::of("orders-svc")?;
    let orders = ServiceProcess::on(program, orders_svc::service(), None, &[("RUST_LOG", "error")]).await;
    let ada = orders.caller("ada");
    ada.get(LIST).await.status(200);
    fs::write(orders.folder().join("jwks.json"), r#"{"keys":[]}"#)?;
    let begun = Instant::now();
    // A token of a key that nobody knows has the keys fetched before their time.
    orders.caller("eve").signed_by(&orders.issuer.rotated("unknown")).get(LIST).await;
    while ada.get(LIST).await.status == 200 && begun.elapsed() < REFRESH * 2 {
        sleep(Duration::from_millis(100)).await;
    }
    verdict.within("until tokens of the old key are refused", begun.elapsed(), REFRESH);
    Ok(())
}
