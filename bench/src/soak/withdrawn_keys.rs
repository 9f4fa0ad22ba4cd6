//! An issuer that withdraws all its keys.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Result, bail, ensure};
use shared_testing::{Caller, Issuer, ServiceProcess, hostile_server::HostileServer};
use tokio::time::{Instant, sleep};

use super::verdict::Verdict;
use crate::binaries;

const LIST: &str = "/wp-json/service-net/v1/orders";
const EMPTY: &str = r#"{"keys":[]}"#;
// The services fetch keys every five minutes, plus up to a tenth.
const REFRESH: Duration = Duration::from_secs(330);
// An unknown key makes a service fetch the keys early, but at most twice in thirty seconds.
const EARLY: Duration = Duration::from_secs(35);
const PAUSE: Duration = Duration::from_millis(100);

/// Serves an empty key set. Two services must refuse tokens of the old key once they have fetched it. One fetches it in
/// its own time, the other because a token names an unknown key.
pub async fn emptied(verdict: &mut Verdict) -> Result<()> {
    Verdict::note("the issuer publishes an empty key set (two of orders-svc)");
    let keys = Arc::new(Mutex::new(EMPTY.to_owned()));
    let published = Arc::clone(&keys);
    let issuer = HostileServer::http(move |stream, _| {
        let keys = published.lock().unwrap_or_else(PoisonError::into_inner).clone();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n")?;
        write!(stream, "content-length: {}\r\n\r\n{keys}", keys.len())
    });
    let jwks = format!("http://{}/jwks", issuer.address);
    let environment = [("RUST_LOG", "error"), ("RATE_LIMITS", "read=1000000,anonymous=1000000"), ("JWKS", &*jwks)];
    let program = binaries::of("orders-svc")?;
    let quiet = ServiceProcess::on(program.clone(), orders_svc::service(), None, &environment).await;
    let asked = ServiceProcess::on(program, orders_svc::service(), None, &environment).await;
    let publish = |text: String| *keys.lock().unwrap_or_else(PoisonError::into_inner) = text;
    publish(Issuer::jwks(&[&quiet.issuer]).to_string());
    // Of the same key: a key set has only one of this id.
    let [of_quiet, of_asked] = [&quiet, &asked].map(|orders| orders.caller("ada").signed_by(&quiet.issuer));
    let begun = Instant::now();
    for ada in [&of_quiet, &of_asked] {
        while ada.get(LIST).await.status != 200 {
            ensure!(begun.elapsed() < REFRESH, "the keys were not fetched");
            sleep(PAUSE).await;
        }
    }

    publish(EMPTY.to_owned());
    let eve = asked.caller("eve").token_header("kid", "unknown");
    // At the same time. Each has its own keys, so that Eve cannot hide a refresh that does not happen.
    let (refreshed, early) = tokio::join!(until_refused(&of_quiet, None), until_refused(&of_asked, Some(&eve)));
    verdict.within("until tokens of the old key are refused", refreshed?, REFRESH);
    verdict.within("the same, when a token names an unknown key", early?, EARLY);
    Ok(())
}

/// Repeats a request until its token is refused. Eve follows each time, with a key that the issuer never had.
async fn until_refused(ada: &Caller, eve: Option<&Caller>) -> Result<Duration> {
    let begun = Instant::now();
    loop {
        let answer = ada.get(LIST).await;
        match answer.status {
            401 => return Ok(begun.elapsed()),
            // 503: the key is unknown now, and the service may not fetch keys again so soon.
            200 | 503 => ensure!(begun.elapsed() < REFRESH * 2, "a withdrawn key is not refused: {answer}"),
            _ => bail!("unexpected answer: {answer}"),
        }
        if let Some(eve) = eve {
            eve.get(LIST).await;
        }
        sleep(PAUSE).await;
    }
}
