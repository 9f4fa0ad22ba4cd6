//! `bench soak`: attacks and outages against the built services, with limits that they must keep.

mod commands;
mod connections;
mod follower;
mod frozen_database;
mod one_grant;
mod publishers;
mod verdict;
mod withdrawn_keys;

use std::time::Duration;

use anyhow::Result;
use clap::Args;

use verdict::Verdict;

#[derive(Args, Clone)]
pub struct Soak {
    /// Duration of the whole run
    #[arg(value_name = "MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1440))]
    minutes: u32,
    /// Admin URL of a PostgreSQL server for temporary databases; needs redis-server. Without it, everything is embedded
    #[arg(long)]
    postgres: Option<String>,
    /// Run only this part, for the whole duration
    #[arg(long, value_enum)]
    only: Option<Part>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Part {
    /// Documents and a change feed, under kills and outages
    Commands,
    /// Events, under kills
    Publishers,
    /// Requests of one grant that do not move on
    OneGrant,
}

impl Soak {
    /// `parts` twentieths of the duration.
    fn parts(&self, parts: u32) -> Duration {
        Duration::from_secs(60) * self.minutes * parts / 20
    }
}

pub async fn run(soak: &Soak) -> Result<()> {
    let minute = Duration::from_secs(60);
    let mut verdict = Verdict::begin();
    if let Some(part) = soak.only {
        let (postgres, length) = (soak.postgres.as_deref(), soak.parts(20));
        match part {
            Part::Commands => commands::under_kills(postgres, length, &mut verdict).await?,
            Part::Publishers => publishers::under_kills(postgres, length, &mut verdict).await?,
            Part::OneGrant => one_grant::stalls(length, &mut verdict).await?,
        }
        return verdict.end();
    }
    connections::pipelining_unread(soak.parts(2).min(minute), &mut verdict).await?;
    connections::handshakes_held(soak.parts(1).min(minute), &mut verdict).await?;
    connections::idle_by_the_thousand(soak.parts(1).min(minute), &mut verdict).await?;
    one_grant::stalls(soak.parts(2).min(2 * minute), &mut verdict).await?;
    withdrawn_keys::emptied(&mut verdict).await?;
    match &soak.postgres {
        None => {
            commands::under_kills(None, soak.parts(11), &mut verdict).await?;
            publishers::under_kills(None, soak.parts(3), &mut verdict).await?;
        }
        Some(postgres) => {
            frozen_database::for_a_while(postgres, soak.parts(2).min(minute), &mut verdict).await?;
            commands::under_kills(None, soak.parts(4), &mut verdict).await?;
            commands::under_kills(Some(postgres), soak.parts(6), &mut verdict).await?;
            publishers::under_kills(Some(postgres), soak.parts(2), &mut verdict).await?;
        }
    }
    verdict.end()
}
