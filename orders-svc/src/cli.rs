//! The operator's commands: import, export and move orders, and open or close ordering.

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
    /// Import orders: new ones, and higher versions of stored ones
    Import {
        /// One JSON object per line: {"owner": "…", "order": {…}}
        file: PathBuf,
        /// Import all lines in one transaction, or none if any line is bad
        #[arg(long)]
        strict: bool,
    },
    /// Write every order as a line that can be imported
    Export {
        /// A file, which appears only when it is complete, or a pipe or device; - or nothing is standard output
        file: Option<PathBuf>,
    },
    /// Show or move one order
    #[command(subcommand)]
    Order(OrderCommand),
    /// Open or close ordering; while it is closed, the Orders API answers 403 ordering_closed
    #[command(subcommand)]
    Ordering(OrderingCommand),
}

/// Commands for one order.
#[derive(Subcommand, Debug)]
pub enum OrderCommand {
    /// Print the order as a line that can be imported
    Show {
        /// Its id: ord_ and 32 hexadecimal digits
        order: OrderId,
    },
    /// Move the order to another state and add a step to its timeline
    Move {
        /// Its id: ord_ and 32 hexadecimal digits
        order: OrderId,
        /// placed, awaiting_payment, paid, provisioning, completed, cancelled, expired, failed or refunded
        state: OrderState,
        /// The reason; the owner sees it in the timeline
        #[arg(long, value_parser = one_line::<NOTE_BYTES>)]
        note: Option<String>,
        /// The payment provider's reference of the payment
        #[arg(long, value_parser = one_line::<REFERENCE_BYTES>)]
        reference: Option<String>,
        /// The subscription that the order created: sub_ and 32 hexadecimal digits
        #[arg(long)]
        subscription_id: Option<SubscriptionId>,
        /// The room of the order: room_ and 32 hexadecimal digits
        #[arg(long)]
        room_id: Option<RoomId>,
        /// Only if this is its version, as `order show` prints it
        #[arg(long)]
        version: Option<i64>,
    },
}

/// Commands to open and close ordering.
#[derive(Subcommand, Debug)]
pub enum OrderingCommand {
    /// Open ordering: the Orders API answers with orders
    Open,
    /// Close ordering: the Orders API answers 403 ordering_closed
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

// The same rule as for an import: an exported order must be importable again.
fn one_line<const BYTES: usize>(text: &str) -> Result<String, String> {
    shared_model::text::check_line(text, BYTES).map(|()| text.to_owned())
}
