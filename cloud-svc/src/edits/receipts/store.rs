//! The rows of receipts and of their keys.

use cloud_receipts::signer::{Signed, Signer};
use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, insert_rows, on_each, state::db::prepared};

use super::receipt::Receipt;
use crate::base::{
    ids::{FileId, PlanId, WorkspaceId},
    owner::Owner,
    tables::{receipt_keys, receipts},
};
use crate::workspace::limits;

/// A place in the chain, and the SHA-256 of its statement.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Link {
    pub sequence: i64,
    pub sha256: String,
}

/// The last receipt of a workspace.
pub fn last(conn: &mut Conn, owner: WorkspaceId) -> Result<Option<Link>, Failure> {
    // From the end of the primary key, however long the chain is.
    let of_workspace = receipts::table.filter(receipts::workspace_id.eq(owner)).order(receipts::sequence.desc());
    Ok(on_each!(conn, |c| of_workspace.select((receipts::sequence, receipts::sha256)).first(c).optional())?)
}

#[derive(Clone, Debug)]
pub struct NewReceipt {
    pub owner: WorkspaceId,
    pub sequence: i64,
    pub file: FileId,
    pub plan: PlanId,
    pub signed: Signed,
}

pub fn insert(conn: &mut Conn, new: Vec<NewReceipt>) -> Result<(), Failure> {
    let rows = new.into_iter().map(|NewReceipt { owner, sequence, file, plan, signed }| {
        (
            receipts::workspace_id.eq(owner),
            receipts::sequence.eq(sequence),
            receipts::file_id.eq(file),
            receipts::plan_id.eq(plan),
            receipts::statement.eq(signed.statement),
            receipts::sha256.eq(signed.sha256),
            receipts::signature.eq(signed.signature),
        )
    });
    // The primary key refuses a second receipt at one place of the chain.
    Ok(insert_rows!(conn, rows, |rows| diesel::insert_into(receipts::table).values(rows))?)
}

/// Which receipts of a workspace to read.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    pub owner: Owner,
    pub file: Option<FileId>,
    pub plan: Option<PlanId>,
}

/// Up to `rows` receipts after this sequence, oldest first, each with its sequence.
pub fn list(conn: &mut Conn, filter: Filter, after: i64, rows: i64) -> Result<Vec<(i64, Receipt)>, Failure> {
    let Filter { owner, file, plan } = filter;
    let mut query = receipts::table
        .filter(receipts::sequence.gt(after))
        .select((receipts::sequence, receipts::statement, receipts::signature))
        .order(receipts::sequence)
        .limit(rows)
        .into_boxed();
    query = if file.is_some() || plan.is_some() {
        // The sum keeps the primary key out. Through that key, SQLite would read the whole chain for a few receipts.
        query.filter(sql::<BigInt>("receipts.workspace_id + 0").eq(owner.workspace()))
    } else {
        query.filter(receipts::workspace_id.eq(owner.workspace()))
    };
    if let Some(file) = file {
        query = query.filter(receipts::file_id.eq(file));
    }
    if let Some(plan) = plan {
        query = query.filter(receipts::plan_id.eq(plan));
    }
    // An agent with limits sees the receipts of its files, so it cannot verify the chain.
    if limits::of(conn, owner)?.is_narrow() {
        limits::within_limits_of_file!(query, owner, "receipts.file_id");
    }
    let found: Vec<(i64, String, String)> = prepared(query).load(conn)?;
    let receipt = |(sequence, statement, signature)| {
        Ok((sequence, Receipt { statement: RawValue::from_string(statement)?, signature }))
    };
    found.into_iter().map(receipt).collect()
}

/// The sequence after which the last `rows` receipts of a plan are; 0 if it has no others.
pub fn before_last(conn: &mut Conn, plan: PlanId, rows: i64) -> Result<i64, Failure> {
    let newest = receipts::table.filter(receipts::plan_id.eq(plan)).order(receipts::sequence.desc());
    let older = newest.select(receipts::sequence).offset(rows);
    let sequence: Option<i64> = on_each!(conn, |c| older.first(c).optional())?;
    Ok(sequence.unwrap_or_default())
}

/// Publishes the key of a signer, which stays published.
pub fn record_key(conn: &mut Conn, signer: &Signer, at: Timestamp) -> Result<(), Failure> {
    let row = (
        receipt_keys::key_id.eq(signer.key_id()),
        receipt_keys::public_key.eq(signer.public_key().to_vec()),
        receipt_keys::first_used_at.eq(at),
    );
    // Each start of each replica does this, mostly with a key that is there.
    on_each!(conn, |c| diesel::insert_into(receipt_keys::table).values(row).on_conflict_do_nothing().execute(c))?;
    Ok(())
}

/// All keys, the newest first.
pub fn keys(conn: &mut Conn) -> Result<Vec<(String, Vec<u8>, Timestamp)>, Failure> {
    let newest = receipt_keys::table.order((receipt_keys::first_used_at.desc(), receipt_keys::key_id));
    Ok(newest.load(conn)?)
}
