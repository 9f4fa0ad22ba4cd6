//! `locker-svc subscription`: lists and changes subscriptions.

use std::{
    error::Error,
    io::{self, Write as _},
};

use clap::Subcommand;
use shared_model::Timestamp;
use shared_runtime::Context;

use crate::{
    ids::SubscriptionId,
    subscriptions::{self, StateChange, SubscriptionRecord, SubscriptionState, set_state},
};

// In batches, so that a long list is not held in memory.
const BATCH_ROWS: i64 = 500;

#[derive(Subcommand, Debug)]
pub enum SubscriptionCommand {
    /// Print subscriptions, one JSON object per line, in the format of `import`
    List {
        /// Only subscriptions of this owner, the `sub` of tokens
        #[arg(long)]
        owner: Option<String>,
        /// Only subscriptions in this state
        #[arg(long)]
        state: Option<SubscriptionState>,
    },
    /// Print one subscription
    Show {
        /// Its id: sub_ and 32 hexadecimal digits
        id: SubscriptionId,
    },
    /// Store the next version of a subscription, in another state, and print it
    SetState {
        /// Its id: sub_ and 32 hexadecimal digits
        id: SubscriptionId,
        /// incomplete → active ↔ past_due → suspended → cancelled; paid again: suspended → active; each may be
        /// cancelled
        state: SubscriptionState,
        /// Only if this is still its version
        #[arg(long)]
        version: Option<i64>,
        /// The start of the paid month, like 2026-11-01T00:00:00Z [default: now when it becomes active after being
        /// incomplete or suspended, otherwise unchanged]
        #[arg(long, value_name = "TIME", value_parser = timestamp, requires = "period_end")]
        period_start: Option<Timestamp>,
        /// The end of the paid month [default: a month later]
        #[arg(long, value_name = "TIME", value_parser = timestamp, requires = "period_start")]
        period_end: Option<Timestamp>,
    },
}

pub async fn run(command: SubscriptionCommand, context: &Context) -> Result<(), Box<dyn Error>> {
    match command {
        SubscriptionCommand::List { owner, state } => list(context, owner, state).await,
        SubscriptionCommand::Show { id } => {
            let found = context.read(move |conn| Ok(subscriptions::find(conn, id)?)).await?;
            print(&found.ok_or_else(|| format!("There is no subscription {id}."))?)
        }
        SubscriptionCommand::SetState { id, state, version, period_start, period_end } => {
            let period = period_start.zip(period_end);
            if period.is_some_and(|(start, end)| start >= end) {
                return Err("The paid month must start before it ends.".into());
            }
            let change = StateChange { id, state, expected_version: version, period };
            let now = context.clock.now();
            let record = context.write(move |conn| set_state(conn, change, now)).await?;
            print(&record)
        }
    }
}

async fn list(
    context: &Context,
    owner: Option<String>,
    state: Option<SubscriptionState>,
) -> Result<(), Box<dyn Error>> {
    let mut after = None;
    loop {
        let batch = context.read(move |conn| Ok(subscriptions::list_batch(conn, after, BATCH_ROWS)?)).await?;
        let Some(last) = batch.last() else { return Ok(()) };
        after = Some(last.subscription.id);
        for record in &batch {
            let is_wanted = owner.as_ref().is_none_or(|owner| record.owner == *owner)
                && state.is_none_or(|state| record.subscription.state == state);
            if is_wanted {
                print(record)?;
            }
        }
    }
}

fn print(record: &SubscriptionRecord) -> Result<(), Box<dyn Error>> {
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string(record)?)?)
}

fn timestamp(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or(shared_model::timestamp::RULE)
}
