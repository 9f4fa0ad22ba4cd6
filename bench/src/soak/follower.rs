//! Follows the change feed through all outages: every change must arrive once and in order.

use std::{cell::Cell, collections::HashSet, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use shared_testing::Caller;
use tokio::time::sleep;

use super::verdict::Verdict;

/// Sequence numbers of the changes, and the files that they created.
#[derive(Default)]
pub struct Followed {
    sequences: Vec<i64>,
    created: Vec<String>,
}

/// Reads the feed from its beginning, from any process that answers, until `is_over` and the end of the feed.
pub async fn follow(callers: &[Caller], is_over: &Cell<bool>) -> Result<Followed> {
    let (mut followed, mut cursor, mut turn) = (Followed::default(), String::new(), 0);
    loop {
        let is_last = is_over.get();
        let path = format!("/v1/changes?wait_seconds=1{cursor}");
        let answer = callers[turn % callers.len()].get(path).send().await;
        let page = match answer {
            Ok(answer) if answer.status == 200 => answer,
            Ok(answer) => {
                // During outages the feed may fail, but only with a status that invites a retry.
                ensure!(answer.status == 503, "the feed was refused: {answer}");
                turn += 1;
                sleep(Duration::from_millis(50)).await;
                continue;
            }
            Err(_) => {
                turn += 1;
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let items = page["items"].as_array().context("a page has items")?;
        items.iter().try_for_each(|item| followed.saw(item))?;
        cursor = format!("&cursor={}", page["next_cursor"].as_str().context("a page has a cursor")?);
        if is_last && items.is_empty() {
            return Ok(followed);
        }
    }
}

impl Followed {
    fn saw(&mut self, item: &Value) -> Result<()> {
        self.sequences.push(item["sequence"].as_i64().context("a change has a sequence number")?);
        if item["type"] == "file.created" {
            self.created.push(item["file_id"].as_str().context("a change has a file id")?.to_owned());
        }
        Ok(())
    }

    /// Compares the feed with the files in the database.
    pub fn check(&self, stored: &HashSet<String>, verdict: &mut Verdict) {
        let astray = self.sequences.iter().zip(1..).filter(|(sequence, expected)| *sequence != expected).count();
        verdict.at_most(&format!("missed or reordered changes, of {}", self.sequences.len()), astray as f64, 0.0, "");
        let created: HashSet<_> = self.created.iter().cloned().collect();
        verdict.at_most("files missing from the feed", stored.difference(&created).count() as f64, 0.0, "");
        let again = self.created.len() - created.len() + created.difference(stored).count();
        verdict.at_most("files in the feed twice, or unknown", again as f64, 0.0, "");
    }
}
