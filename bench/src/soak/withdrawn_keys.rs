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
// The services fetch keys every five minutes, plus up to a tenth.
const REFRESH: Duration = Duration::from_secs(330);

/// Serves an empty key set. Tokens of the old keys must be refused once it is fetched.
pub async fn emptied(verdict: &mut Verdict) -> Result<()> {
    Verdict::note("the issuer publishes an empty key set (orders-svc)");
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
        ensure!(begun.elapsed() < REFRESH, "the keys were not fetched");
        sleep(Duration::from_millis(100)).await;
    }

    publish(r#"{"keys":[]}"#.to_owned());
    let begun = Instant::now();
    loop {
        let answer = ada.get(LIST).await;
        match answer.status {
            200 => ensure!(begun.elapsed() < REFRESH * 2, "a token with a withdrawn key is still accepted"),
            401 => break,
            // The key is unknown now, and the service may not fetch keys again so soon.
            503 => {}
            _ => ensure!(false, "unexpected answer: {answer}"),
        }
        // An unknown key makes the service fetch the keys early.
        orders.caller("eve").token_header("kid", "unknown").get(LIST).await;
        sleep(Duration::from_millis(100)).await;
    }
    verdict.within("until tokens of the old key are refused", begun.elapsed(), REFRESH);
    Ok(())
}
