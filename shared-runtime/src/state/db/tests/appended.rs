//! Rows that the commands of a batch append.

use std::{
    cell::RefCell,
    sync::{Arc, Barrier},
};

use diesel::prelude::*;
use futures_util::future::join_all;
use shared_model::{Error, Failure, Timestamp, code};

use super::{counters, fresh::Fresh, ids, insert};
use crate::state::db::{Appended, Conn, LaneKey, append, idempotency_record::IdempotencyRecord};

const COMMANDS: i64 = 20;

/// A counter that is inserted at the end. Its value is the number of rows that were inserted together.
struct Late(i64);

impl Appended for Late {
    fn insert(conn: &mut Conn, rows: Vec<Self>) -> Result<(), Failure> {
        let together = i64::try_from(rows.len()).expect("a few");
        for Late(id) in rows {
            diesel::insert_into(counters::table)
                .values((counters::id.eq(id), counters::value.eq(together)))
                .execute(conn)?;
        }
        Ok(())
    }
}

fn key() -> LaneKey {
    LaneKey::from_name(b"ada")
}

fn record(id: i64) -> IdempotencyRecord {
    let mut scope = [0; 32];
    scope[..8].copy_from_slice(&id.to_be_bytes());
    IdempotencyRecord {
        scope,
        fingerprint: [0; 32],
        created_at: Timestamp::from_micros(0),
        expires_at: Timestamp::from_micros(1),
        status: 200,
        headers: String::new(),
        payload: String::new(),
    }
}

/// Runs commands in one batch, and after them a transaction that counts the rows of counters; the outcomes and the count.
async fn run_in_one_batch(
    fresh: &Fresh,
    command: fn(&mut Conn, i64) -> Result<(), Error>,
) -> (Vec<Result<(), Error>>, i64) {
    let (reached, released) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let blocked = {
        let (reached, released) = (Arc::clone(&reached), Arc::clone(&released));
        let first = RefCell::new(true);
        fresh.db.write_in(key(), move |_| {
            if first.replace(false) {
                reached.wait();
                released.wait();
            }
            Ok(())
        })
    };
    let commands =
        (0..COMMANDS).map(|id| fresh.db.write_command(key(), move |conn| command(conn, id).map(|()| ((), record(id)))));
    let count = fresh.db.write_in(key(), |conn| Ok(counters::table.count().get_result(conn)?));
    let release = async {
        tokio::task::spawn_blocking(move || reached.wait()).await.expect("the executor is blocked");
        // The others have been polled once, so they are queued.
        released.wait();
    };
    let (blocked, outcomes, count, ()) = tokio::join!(blocked, join_all(commands), count, release);
    blocked.expect("a transaction");
    (outcomes, count.expect("a count"))
}

fn together(conn: &mut Conn) -> Result<Vec<i64>, Error> {
    Ok(counters::table.select(counters::value).distinct().load(conn)?)
}

#[tokio::test]
async fn rows_are_inserted_together_before_others_read() {
    let fresh = Fresh::new(2).await;
    let (outcomes, seen) = run_in_one_batch(&fresh, |_, id| {
        append(Late(id));
        Ok(())
    })
    .await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(seen, COMMANDS, "what is no command sees all rows");
    assert_eq!(fresh.db.read(together).await.expect("values"), [COMMANDS]);
}

#[tokio::test]
async fn a_failed_command_leaves_no_row_and_fails_alone() {
    let fresh = Fresh::new(2).await;
    let (outcomes, seen) = run_in_one_batch(&fresh, |conn, id| {
        append(Late(id));
        match id {
            3 => return Err(code::NOT_FOUND.refusal().into()),
            5 => panic!("after it appended"),
            // This row is in the way of its own.
            7 => insert(conn, id)?,
            _ => {}
        }
        Ok(())
    })
    .await;
    let failed = [3, 5, 7];
    let expected: Vec<i64> = (0..COMMANDS).filter(|id| !failed.contains(id)).collect();
    let succeeded: Vec<i64> = (0..).zip(&outcomes).filter(|(_, outcome)| outcome.is_ok()).map(|(id, _)| id).collect();
    assert_eq!(succeeded, expected, "{outcomes:?}");
    assert_eq!(fresh.db.read(ids).await.expect("ids"), expected);
    assert_eq!(usize::try_from(seen).expect("a count"), expected.len());
}
