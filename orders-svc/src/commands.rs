//! What an operator can tell the orders service: import, export and move orders, open and close.

use std::{
    error::Error,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Subcommand;
use shared_runtime::{
    Context,
    import::Mode,
    service::cli::{CommandFuture, Commands},
};

use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    ordering_switch,
    orders::{self, MoveDetails, NOTE_BYTES, OrderRecord, OrderState, REFERENCE_BYTES},
};

/// The orders service's own commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Record orders, each new, in a higher version, or known already
    Import {
        /// One JSON object a line: {"owner": "…", "order": {…}}
        file: PathBuf,
        /// Record all lines in one transaction, or none when any line is bad
        #[arg(long)]
        strict: bool,
    },
    /// Write every order as a line that can be imported
    Export {
        /// A file, which is there only when it is whole, or a pipe or device; - is standard output, as is nothing
        file: Option<PathBuf>,
    },
    /// One order
    #[command(subcommand)]
    Order(OrderCommand),
    /// Whether the Orders API answers with orders or with 403 ordering_closed
    #[command(subcommand)]
    Ordering(OrderingCommand),
}

/// What can be done with one order.
#[derive(Subcommand, Debug)]
pub enum OrderCommand {
    /// Print it as a line that can be imported
    Show {
        /// Its id: ord_ and 32 hexadecimal digits
        order: OrderId,
    },
    /// Move it to another state, with a step of its timeline that says so
    Move {
        /// Its id: ord_ and 32 hexadecimal digits
        order: OrderId,
        /// placed, awaiting_payment, paid, provisioning, completed, cancelled, expired, failed or refunded
        state: OrderState,
        /// Why, for whoever reads the timeline; the owner does
        #[arg(long, value_parser = one_line::<NOTE_BYTES>)]
        note: Option<String>,
        /// What the payment provider calls the payment
        #[arg(long, value_parser = one_line::<REFERENCE_BYTES>)]
        reference: Option<String>,
        /// The subscription that it has led to: sub_ and 32 hexadecimal digits
        #[arg(long)]
        subscription_id: Option<SubscriptionId>,
        /// The room that it is for: room_ and 32 hexadecimal digits
        #[arg(long)]
        room_id: Option<RoomId>,
        /// Only if it is in this version, as `order show` prints it
        #[arg(long)]
        version: Option<i64>,
    },
}

/// What can be done with the switch.
#[derive(Subcommand, Debug)]
pub enum OrderingCommand {
    /// Answer with orders
    Open,
    /// Answer with 403 ordering_closed
    Close,
}

impl Commands for Command {
    fn run(self, context: Context) -> CommandFuture {
        Box::pin(async move {
            match self {
                Self::Import { file, strict } => {
                    let mode = if strict { Mode::AllOrNothing } else { Mode::EachBatch };
                    orders::import(&context, &file, mode).await
                }
                Self::Export { file } => orders::export(&context, file.as_deref()).await,
                Self::Order(OrderCommand::Show { order }) => print(&orders::show(&context, order).await?),
                Self::Order(OrderCommand::Move {
                    order,
                    state,
                    note,
                    reference,
                    subscription_id,
                    room_id,
                    version,
                }) => {
                    let change = MoveDetails { note, reference, subscription_id, room_id };
                    print(&orders::move_to(&context, order, state, version, change).await?)
                }
                Self::Ordering(OrderingCommand::Open) => {
                    ordering_switch::set(&context, true).await?;
                    Ok(writeln!(io::stdout(), "ordering is open")?)
                }
                Self::Ordering(OrderingCommand::Close) => {
                    ordering_switch::set(&context, false).await?;
                    Ok(writeln!(io::stdout(), "ordering is closed: the Orders API answers 403 ordering_closed")?)
                }
            }
        })
    }
}

fn print(record: &OrderRecord) -> Result<(), Box<dyn Error>> {
    Ok(writeln!(io::stdout(), "{}", serde_json::to_string(record)?)?)
}

/// Text that an import would take too.
fn one_line<const BYTES: usize>(text: &str) -> Result<String, String> {
    shared_model::text::check_line(text, BYTES).map(|()| text.to_owned())
}
