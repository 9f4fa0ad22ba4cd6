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

use anyhow::{Result, ensure};
use clap::Args;

use verdict::Verdict;

const MINUTE: Duration = Duration::from_secs(60);

// In minutes, for all parts together.
const SHORTEST: u32 = 5;
// Twentieths of the duration.
const WHOLE: u32 = 20;
const COMMANDS_ON_POSTGRES: u32 = 12;
const EVENTS: u32 = 4;

#[derive(Args, Clone)]
pub struct Soak {
    /// Duration on each backend, at least 5; with --only at least 1
    #[arg(value_name = "MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1440))]
    minutes: u32,
    /// Admin URL of a PostgreSQL server for temporary databases. Without it, only SQLite. Both need redis-server
    #[arg(long)]
    postgres: Option<String>,
    /// Run only this part, on one backend, for the whole duration
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
        MINUTE * self.minutes * parts / WHOLE
    }

    /// A soak that is too short would break promises of good services.
    fn check(&self) -> Result<()> {
        let [commands, events] = if self.only.is_some() { [WHOLE; 2] } else { [COMMANDS_ON_POSTGRES, EVENTS] };
        ensure!(
            self.parts(commands) >= commands::SHORTEST && self.parts(events) >= publishers::SHORTEST,
            "too short for every kind of outage and enough kills: take at least {SHORTEST} minutes, or --only one part"
        );
        Ok(())
    }
}

pub async fn run(soak: &Soak) -> Result<()> {
    soak.check()?;
    let mut verdict = Verdict::begin();
    let postgres = soak.postgres.as_deref();
    if let Some(part) = soak.only {
        let length = soak.parts(WHOLE);
        match part {
            Part::Commands => commands::under_kills(postgres, length, &mut verdict).await?,
            Part::Publishers => publishers::under_kills(postgres, length, &mut verdict).await?,
            Part::OneGrant => one_grant::stalls(postgres, length, &mut verdict).await?,
        }
        return verdict.end();
    }
    on_sqlite(soak, &mut verdict).await?;
    if let Some(postgres) = postgres {
        on_postgres(soak, postgres, &mut verdict).await?;
    }
    verdict.end()
}

/// Begins with attacks that no database can notice. They are not repeated on PostgreSQL.
async fn on_sqlite(soak: &Soak, verdict: &mut Verdict) -> Result<()> {
    // Takes twice its length.
    connections::pipelining_unread(soak.parts(1).min(MINUTE), verdict).await?;
    connections::handshakes_held(soak.parts(1).min(MINUTE), verdict).await?;
    connections::idle_by_the_thousand(soak.parts(1).min(MINUTE), verdict).await?;
    withdrawn_keys::emptied(verdict).await?;
    one_grant::stalls(None, soak.parts(2).min(2 * MINUTE), verdict).await?;
    commands::under_kills(None, soak.parts(10), verdict).await?;
    publishers::under_kills(None, soak.parts(EVENTS), verdict).await
}

async fn on_postgres(soak: &Soak, postgres: &str, verdict: &mut Verdict) -> Result<()> {
    frozen_database::for_a_while(postgres, soak.parts(2).min(MINUTE), verdict).await?;
    one_grant::stalls(Some(postgres), soak.parts(2).min(2 * MINUTE), verdict).await?;
    commands::under_kills(Some(postgres), soak.parts(COMMANDS_ON_POSTGRES), verdict).await?;
    publishers::under_kills(Some(postgres), soak.parts(EVENTS), verdict).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(minutes: u32, only: Option<Part>) -> bool {
        Soak { minutes, postgres: None, only }.check().is_ok()
    }

    #[test]
    fn a_soak_that_is_too_short_for_its_promises_is_refused() {
        assert!(is_accepted(SHORTEST, None) && !is_accepted(SHORTEST - 1, None));
        assert!(is_accepted(1, Some(Part::Commands)), "one part has the whole duration");
    }

    #[test]
    fn the_script_refuses_it_too_before_it_builds() {
        assert!(include_str!("../../../soak").contains(&format!("((minutes >= {SHORTEST}))")));
    }
}
