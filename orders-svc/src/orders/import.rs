//! `orders-svc import`: reads orders from a file, `{"owner": "…", "order": {…}}`, one JSON object per line.

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

/// The importer. A line with the stored version, or with an earlier one of the same order, changes nothing. So a file
/// can be imported again after an interruption.
pub fn importer() -> Importer<OrderRecord> {
    Importer::new(parse_line, record)
}

/// Reads one line, and reports all its problems at once.
pub fn parse_line(line: &[u8]) -> Result<OrderRecord, Vec<Problem>> {
    import::parse_line(line, OrderRecord::from_json)
}

pub async fn import(context: &Context, file: &Path, mode: Mode) -> Result<(), Box<dyn Error>> {
    let imported = importer().run_file(context, file, mode).await;
    // Also after an import that ended early: its first lines are there.
    let updated = context.write(|conn| Ok(store::update_statistics(conn)?)).await;
    imported?;
    Ok(updated?)
}

// The result must be the same as for one line at a time: a file may contain several versions of an order.
fn record(conn: &mut Conn, lines: &[&OrderRecord]) -> Result<Vec<LineOutcome>, Failure> {
    store::prefer_indexes(conn)?;
    // Two queries for the whole batch instead of two for each line.
    let ids: Vec<_> = lines.iter().map(|line| line.order.id).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line.order.number.as_str()).collect();
    let stored = store::find_all(conn, &ids)?;
    let mut batch = ImportBatch {
        stored: stored.into_iter().map(|record| (record.order.id, record)).collect(),
        numbers: store::find_taken_numbers(conn, &numbers)?.into_iter().collect(),
        changed: HashMap::new(),
    };
    let outcomes = lines.iter().map(|line| batch.decide(line)).collect();
    let (replaced, added): (Vec<_>, Vec<_>) =
        batch.changed.into_values().partition(|line| batch.stored.contains_key(&line.order.id));
    store::insert_all(conn, &added)?;
    for line in replaced {
        store::replace(conn, line)?;
    }
    Ok(outcomes)
}

struct ImportBatch<'l> {
    stored: HashMap<OrderId, OrderRecord>,
    numbers: HashMap<String, OrderId>,
    // Only the last version of each order is written.
    changed: HashMap<OrderId, &'l OrderRecord>,
}

impl<'l> ImportBatch<'l> {
    fn decide(&mut self, line: &'l OrderRecord) -> LineOutcome {
        let id = line.order.id;
        let known = self.changed.get(&id).copied().or_else(|| self.stored.get(&id));
        let outcome = match known {
            Some(known) => compare_to_stored(known, line),
            None if self.numbers.contains_key(&line.order.number) => {
                LineOutcome::Refused("another order has this number".to_owned())
            }
            None => LineOutcome::Added,
        };
        if matches!(outcome, LineOutcome::Added | LineOutcome::Replaced) {
            self.numbers.insert(line.order.number.clone(), id);
            self.changed.insert(id, line);
        }
        outcome
    }
}

fn compare_to_stored(known: &OrderRecord, line: &OrderRecord) -> LineOutcome {
    let (old, new) = (&known.order, &line.order);
    if known.owner != line.owner || old.number != new.number {
        return LineOutcome::Refused("an order never changes its owner or number".to_owned());
    }
    if new.version < old.version && check_successor(new, old).is_ok() {
        return LineOutcome::Superseded;
    }
    if let Some(outcome) = import::compare_versions((old, old.version), (new, new.version)) {
        return outcome;
    }
    check_successor(old, new).map_or_else(LineOutcome::Refused, |()| LineOutcome::Replaced)
}

/// Checks that one version of an order can follow another. `Err` says which member must not change.
fn check_successor(old: &Order, new: &Order) -> Result<(), String> {
    // A draft may change in any way: nobody has seen it.
    if old.state == OrderState::Draft {
        return Ok(());
    }
    if old.placed_at != new.placed_at {
        return Err("placed_at of an order never changes".to_owned());
    }
    if !new.timeline.starts_with(&old.timeline) {
        let steps = old.timeline.len();
        return Err(format!("a timeline can only grow: it must begin with the {steps} stored steps"));
    }
    Ok(())
}
