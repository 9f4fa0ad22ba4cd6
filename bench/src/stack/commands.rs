//! Commands that are retried until they succeed.

use std::{cell::RefCell, fs, path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use clap::Args;
use futures_util::future::join_all;
use reqwest::{Client, header::CONTENT_TYPE};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    caller::{Caller, client},
    outcomes::{Outcomes, outcome},
};
use crate::document::document;

const PAUSE: Duration = Duration::from_millis(50);
const RETRY: Duration = Duration::from_millis(50);
// A command without an answer by then fails the run.
const GIVEN_UP: Duration = Duration::from_secs(120);

#[derive(Args)]
pub struct Commands {
    /// Base URL of the service
    #[arg(long)]
    url: String,
    #[command(flatten)]
    caller: Caller,
    /// Parallel writers
    #[arg(long, default_value_t = 8)]
    writers: usize,
    /// Output file with the ids of created documents, one per line
    #[arg(long)]
    ids: PathBuf,
}

/// Results of the writers.
#[derive(Default)]
struct Known {
    ids: Vec<String>,
    attempts: u64,
    failed: Outcomes,
    /// From the first attempt to the answer.
    millis: Vec<u64>,
}

impl Commands {
    pub async fn run(&self) -> Result<Value> {
        let (client, token) = (client()?, self.caller.token()?);
        let known = RefCell::new(Known::default());
        // Random, so that keys differ between runs.
        let run: u64 = rand::random();
        let until = Instant::now() + self.caller.length();
        let writer = async |number: usize| -> Result<()> {
            for command in 0.. {
                if Instant::now() >= until {
                    break;
                }
                self.command(&client, &token, &format!("try-{run:x}-{number}-{command}"), &known).await?;
                sleep(PAUSE).await;
            }
            Ok(())
        };
        join_all((0..self.writers).map(writer)).await.into_iter().collect::<Result<()>>()?;
        let Known { ids, attempts, failed, mut millis } = known.into_inner();
        fs::write(&self.ids, ids.iter().map(|id| format!("{id}\n")).collect::<String>())?;
        millis.sort_unstable();
        let at = |part: usize| millis.get(millis.len().saturating_sub(1) * part / 1000).copied();
        Ok(json!({
            "commands": ids.len(), "attempts": attempts, "failed_attempts": failed,
            "millis": {"p50": at(500), "p99": at(990), "p999": at(999), "max": at(1000)},
        }))
    }

    /// Sends one command until it succeeds.
    async fn command(&self, client: &Client, token: &str, key: &str, known: &RefCell<Known>) -> Result<()> {
        let body = document(512).to_string();
        let begun = Instant::now();
        loop {
            known.borrow_mut().attempts += 1;
            let request = client.post(format!("{}/v1/documents", self.url)).header("idempotency-key", key);
            let request = request.header(CONTENT_TYPE, "application/json").bearer_auth(token).body(body.clone());
            let answer = request.send().await;
            let what = outcome(&answer);
            if what == "200" {
                // A truncated body counts as no answer: the outcome is unknown.
                let read = answer?.bytes().await.ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
                if let Some(id) = read.as_ref().and_then(|body| body["file"]["id"].as_str()) {
                    let mut known = known.borrow_mut();
                    known.ids.push(id.to_owned());
                    known.millis.push(u64::try_from(begun.elapsed().as_millis())?);
                    return Ok(());
                }
            }
            // These would be the same on every retry; 409 and 5xx may pass.
            ensure!(!matches!(what.as_str(), "400" | "401" | "403" | "404" | "422"), "a command was refused: {what}");
            *known.borrow_mut().failed.entry(what).or_default() += 1;
            ensure!(begun.elapsed() < GIVEN_UP, "no answer for {key}: {:?}", known.borrow().failed);
            sleep(RETRY).await;
        }
    }
}
