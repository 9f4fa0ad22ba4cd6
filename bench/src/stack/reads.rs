//! Reads at a steady pace; outcomes by minute, because rate limits count by minute.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use shared_runtime::Clock;
use tokio::{
    task::LocalSet,
    time::{Instant, MissedTickBehavior, interval},
};

use super::{
    caller::{Caller, client},
    outcomes::{Outcomes, outcome},
};

#[derive(Args)]
pub struct Reads {
    /// URL to read
    #[arg(long)]
    url: String,
    #[command(flatten)]
    caller: Caller,
    /// Reads per second; each starts on time, whatever happened to earlier ones
    #[arg(long, default_value_t = 20)]
    per_second: u32,
}

impl Reads {
    pub async fn run(&self) -> Result<Value> {
        let (client, token) = (client()?, self.caller.token()?);
        let minutes = Rc::new(RefCell::new(BTreeMap::<i64, Outcomes>::new()));
        let until = Instant::now() + self.caller.length();
        let mut ticks = interval(Duration::from_secs(1) / self.per_second);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let set = LocalSet::new();
        set.run_until(async {
            while Instant::now() < until {
                ticks.tick().await;
                let (minutes, request) = (Rc::clone(&minutes), client.get(&self.url).bearer_auth(&token));
                // Not awaited: a slow answer must not delay the next read.
                set.spawn_local(async move {
                    let minute = Clock::System.now().seconds() / 60;
                    let what = outcome(&request.send().await);
                    *minutes.borrow_mut().entry(minute).or_default().entry(what).or_default() += 1;
                });
            }
        })
        .await;
        // Waits for the reads still in flight.
        set.await;
        let minutes: Vec<_> = minutes.take().into_values().collect();
        Ok(json!({"minutes": minutes}))
    }
}
