//! The intake of orders: `{"owner": "…", "order": {…}}`, one object a line.

use std::{collections::HashMap, error::Error, path::Path};

use shared_model::{Failure, FromJson as _, Problem};
use shared_runtime::{
    Conn, Context,
    import::{self, Importer, LineOutcome, Mode},
};

use super::{
    order::{Order, OrderRecord},
    state::OrderState,
    store,
};
use crate::ids::OrderId;

/// Reads and records lines of [`OrderRecord`]s, version by version: the same version again changes nothing, nor does a lower one
/// that the stored one has grown from.
pub fn importer() -> Importer<OrderRecord> {
    Importer::new(parse_line, record)
}

/// Reads one line; all its problems at once.
pub fn parse_line(line: &[u8]) -> Result<OrderRecord, Vec<Problem>> {
    import::parse_line(line, OrderRecord::from_json)
}

/// Imports a file.
pub async fn import(context: &Context, file: &Path, mode: Mode) -> Result<(), Box<dyn Error>> {
    let imported = importer().run_file(context, file, mode).await;
    context.write(|conn| Ok(store::note_size(conn)?)).await?;
    imported
}

/// Records lines that share a transaction, as if one came after the other.
fn record(conn: &mut Conn, lines: &[&OrderRecord]) -> Result<Vec<LineOutcome>, Failure> {
    store::use_indexes(conn)?;
    let ids: Vec<_> = lines.iter().map(|line| line.order.id).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line.order.number.as_str()).collect();
    let recorded = store::find_all(conn, &ids)?;
    let mut known_orders = KnownOrders {
        recorded: recorded.into_iter().map(|record| (record.order.id, record)).collect(),
        numbers: store::find_numbers(conn, &numbers)?.into_iter().collect(),
        latest: HashMap::new(),
    };
    let outcomes = lines.iter().map(|line| known_orders.enter(line)).collect();
    let (replaced, added): (Vec<_>, Vec<_>) =
        known_orders.latest.into_values().partition(|line| known_orders.recorded.contains_key(&line.order.id));
    store::insert_all(conn, &added)?;
    for line in replaced {
        store::replace(conn, line)?;
    }
    Ok(outcomes)
}

/// What is recorded of the orders that some lines speak of, and what the lines make of it.
struct KnownOrders<'l> {
    recorded: HashMap<OrderId, OrderRecord>,
    numbers: HashMap<String, OrderId>,
    /// The last line of each order that changes something.
    latest: HashMap<OrderId, &'l OrderRecord>,
}

impl<'l> KnownOrders<'l> {
    fn enter(&mut self, line: &'l OrderRecord) -> LineOutcome {
        let id = line.order.id;
        let known = self.latest.get(&id).copied().or_else(|| self.recorded.get(&id));
        let outcome = match known {
            Some(known) => succeed(known, line),
            None if self.numbers.contains_key(&line.order.number) => {
                LineOutcome::Refused("another order has this number".to_owned())
            }
            None => LineOutcome::Added,
        };
        if matches!(outcome, LineOutcome::Added | LineOutcome::Replaced) {
            self.numbers.insert(line.order.number.clone(), id);
            self.latest.insert(id, line);
        }
        outcome
    }
}

/// What a line comes to after the recorded version of its order.
fn succeed(known: &OrderRecord, line: &OrderRecord) -> LineOutcome {
    let (old, new) = (&known.order, &line.order);
    if known.owner != line.owner || old.number != new.number {
        return LineOutcome::Refused("an order never changes its owner or number".to_owned());
    }
    if new.version < old.version && has_grown(new, old).is_ok() {
        return LineOutcome::Superseded;
    }
    if let Some(outcome) = import::compare_versions((old, old.version), (new, new.version)) {
        return outcome;
    }
    has_grown(old, new).map_or_else(LineOutcome::Refused, |()| LineOutcome::Replaced)
}

/// Whether one version of an order can have become another; `Err` says what never changes.
fn has_grown(old: &Order, new: &Order) -> Result<(), String> {
    // Nothing of a draft is on record yet.
    if old.state == OrderState::Draft {
        return Ok(());
    }
    if old.placed_at != new.placed_at {
        return Err("an order never changes when it was placed".to_owned());
    }
    if !new.timeline.starts_with(&old.timeline) {
        let steps = old.timeline.len();
        return Err(format!("a timeline only grows: it must begin with the {steps} recorded steps"));
    }
    Ok(())
}
