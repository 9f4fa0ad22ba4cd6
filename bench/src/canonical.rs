//! `bench canonical`: canonical JSON, compared with plain JSON and the reference implementation.

use std::{hint::black_box, time::Duration};

use anyhow::{Result, anyhow};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use trust_log::canonical;

use crate::report;

#[derive(clap::Args)]
pub struct Writes {
    /// Rounds; the three writers take turns in each
    #[arg(long, default_value_t = 200)]
    rounds: u32,
    /// Texts that each writer writes in a round
    #[arg(long, default_value_t = 500)]
    texts: u32,
}

pub fn run(writes: &Writes) -> Result<()> {
    println!("{:<22} {:>8} {:>14} {:>14} {:>14}", "", "bytes", "to_vec µs", "canonical µs", "reference µs");
    let mut ratios = Vec::new();
    for (name, event) in [("typical", typical()), ("numbers", numbers()), ("text", text())] {
        let event = event.as_object().ok_or_else(|| anyhow!("{name} is not an object"))?;
        let reference = serde_json_canonicalizer::to_string(event)?;
        if canonical::object_text(event) != reference {
            return Err(anyhow!(
                "{name}: the canonical form is not that of the reference: {}",
                canonical::object_text(event)
            ));
        }
        let mut fastest = [Duration::MAX; 3];
        for _ in 0..writes.rounds {
            let round = [
                timed(writes.texts, event, |event| serde_json::to_vec(event).map(|bytes| bytes.len()))?,
                timed(writes.texts, event, |event| Ok(canonical::object_text(event).len()))?,
                timed(writes.texts, event, |event| serde_json_canonicalizer::to_vec(event).map(|bytes| bytes.len()))?,
            ];
            fastest = std::array::from_fn(|at| fastest[at].min(round[at]));
        }
        let [plain, ours, theirs] = fastest.map(|span| span.as_secs_f64() * 1e6 / f64::from(writes.texts));
        println!("{name:<22} {:>8} {plain:>14.2} {ours:>14.2} {theirs:>14.2}", reference.len());
        ratios.push(report::ratio(&format!("canonical_{name}_vs_to_vec"), ours, plain));
        ratios.push(report::ratio(&format!("reference_{name}_vs_to_vec"), theirs, plain));
    }
    report::ratios(&ratios);
    Ok(())
}

fn timed(
    texts: u32,
    event: &Map<String, Value>,
    write: impl Fn(&Map<String, Value>) -> serde_json::Result<usize>,
) -> Result<Duration> {
    let begun = Instant::now();
    for _ in 0..texts {
        black_box(write(black_box(event))?);
    }
    Ok(begun.elapsed())
}

/// A typical event: 1.5 kB of ids, words and some numbers.
fn typical() -> Value {
    let outcome = |number: usize| {
        json!({ "id": format!("out_{number}"), "label": format!("Between {number} and {} mm of rain", number + 5),
                "odds": 1.5 + number as f64 / 7.0, "volume_minor": 120_000 * number })
    };
    json!({
        "schema": "service/market-event/v1", "event_id": format!("evt_{:032x}", 7), "kind": "market.updated",
        "market_id": format!("mkt_{:032x}", 9), "revision": 12, "prev_event_hash": format!("sha256:{:064x}", 11),
        "issued_at": "2026-11-21T09:30:00Z", "venue": "London, England",
        "data": {
            "title": "How much rain falls in London on 1 December?",
            "rules": "Settled by the sum of the hourly readings of the station at St James's Park.\nA tie is shared.",
            "outcomes": (1..=8).map(outcome).collect::<Vec<_>>(),
            "open": true, "closes_at": "2026-12-01T00:00:00Z", "source": null, "tags": ["weather", "london", "rain"],
        },
    })
}

/// Mostly numbers, half of them with fractions.
fn numbers() -> Value {
    let row = |row: i32| (0..8).map(|column| json!(f64::from(row * 37 + column) / 13.0)).collect::<Vec<_>>();
    let rows: Vec<_> = (0..16).map(|at| json!({ "at": at, "depth": 1 << (at % 30), "prices": row(at) })).collect();
    json!({ "book": rows })
}

/// Mostly text in several scripts, with escapes. The order of names differs between UTF-8 and UTF-16.
fn text() -> Value {
    let line = "„Regen in London?“ fragt \"The Times\" — 伦敦下雨吗？ 🌧\n";
    let [one, two, three] = [line; 3].map(|line| line.repeat(8));
    json!({ "\u{ff21}": one, "\u{1f327}": two, "body": three, "note": "plain ".repeat(60) })
}
