//! An issuer that withdraws all its keys.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Result, ensure};
use shared_testing::{Issuer, ServiceProcess, hostile_server::HostileServer};
use tokio::time::{Instant, sleep};

use super::verdict::Verdict;
use crate::binaries;

const LIST: &str = "/wp-json/service-net/v1/orders";
/// Keys are fetched anew at least this often, whatever comes: every five minutes and up to a tenth more.
const REFRESH: Duration = Duration::from_secs(330);

/// A key set without keys: tokens of the old ones are refused once it is fetched, sooner if a token asks for it.
pub async fn emptied(verdict: &mut Verdict) -> Result<()> {
    Verdict::note("the issuer publishes a key set without a key (orders-svc)");
    let keys = Arc::new(Mutex::new(r#"{"keys":[]}"#.to_owned()));
    let published = Arc::clone(&keys);
    let issuer = HostileServer::http(move |stream, _| {
        let keys = published.lock().unwrap_or_else(PoisonError::into_inner).clone();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n")?;
        write!(stream, "content-length: {}\r\n\r\n{keys}", keys.len())
    });
    let jwks = format!("http://{}/jwks", issuer.address);
    let environment = [("RUST_LOG", "error"), ("RATE_LIMITS", "read=1000000,anonymous=1000000"), ("JWKS", &*jwks)];
    let program = binaries::of("orders-svc")?;
    let orders = ServiceProcess::on(program, orders_svc::service(), None, &environment).await;
    let publish = |text: String| *keys.lock().unwrap_or_else(PoisonError::into_inner) = text;
    publish(Issuer::jwks(&[&orders.issuer]).to_string());
    let ada = orders.caller("ada");
    let begun = Instant::now();
    while ada.get(LIST).await.status != 200 {
        ensure!(begun.elapsed() < REFRESH, "the keys are not fetched");
        sleep(Duration::from_millis(100)).await;
    }

    publish(r#"{"keys":[]}"#.to_owned());
    let begun = Instant::now();
    loop {
        let answer = ada.get(LIST).await;
        match answer.status {
            200 => ensure!(begun.elapsed() < REFRESH * 2, "a token of a withdrawn key is accepted"),
            401 => break,
            // Its key is not known any more, and whether the issuer has it again can be asked in a moment only.
            503 => {}
            _ => ensure!(false, "neither accepted nor refused: {answer}"),
        }
        // A token of a key that nobody knows has the keys fetched before their time.
        orders.caller("eve").token_header("kid", "unknown").get(LIST).await;
        sleep(Duration::from_millis(100)).await;
    }
    verdict.within("until tokens of the old key are refused", begun.elapsed(), REFRESH);
    Ok(())
}
