//! Grants are recorded when a token of them is first seen, so any standard authorization server can issue them.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};

use super::{
    claims::Identity,
    tables::{grants, revocations},
};
use crate::state::db::Conn;

/// What a service does in the transaction that records a new grant.
pub type OnFirstSeen = fn(&mut Conn, &Identity, Timestamp) -> Result<(), Failure>;

/// How the grant of a token compares with its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantRecord {
    /// No record, or the record expires before this token.
    Outdated,
    Same,
    /// The record has another subject or workspace.
    Foreign,
}

pub fn compare(conn: &mut Conn, identity: &Identity) -> Result<GrantRecord, Failure> {
    Ok(match find(conn, &identity.grant_id)? {
        Some(row) if row.is_foreign_to(identity) => GrantRecord::Foreign,
        Some(row) if row.expires_at >= identity.expires_at => GrantRecord::Same,
        _ => GrantRecord::Outdated,
    })
}

/// Records the grant and calls `on_first_seen` for a new one. A record of another subject or workspace stays unchanged.
pub fn record(
    conn: &mut Conn,
    identity: &Identity,
    now: Timestamp,
    on_first_seen: OnFirstSeen,
) -> Result<GrantRecord, Failure> {
    let found = find(conn, &identity.grant_id)?;
    if found.as_ref().is_some_and(|row| row.is_foreign_to(identity)) {
        return Ok(GrantRecord::Foreign);
    }
    match found {
        None => {
            diesel::insert_into(grants::table)
                .values((
                    grants::grant_id.eq(&identity.grant_id),
                    grants::subject.eq(&identity.subject),
                    grants::workspace_id.eq(identity.workspace_id),
                    grants::first_seen_at.eq(now),
                    grants::expires_at.eq(identity.expires_at),
                ))
                .execute(conn)?;
            on_first_seen(conn, identity, now)?;
        }
        Some(row) if row.expires_at < identity.expires_at => {
            diesel::update(grants::table.find(&identity.grant_id))
                .set(grants::expires_at.eq(identity.expires_at))
                .execute(conn)?;
        }
        Some(_) => {}
    }
    Ok(GrantRecord::Same)
}

/// True when the grant is revoked, or its last token expired at least `unused` ago.
pub fn has_ended(conn: &mut Conn, grant_id: &str, now: Timestamp, unused: Duration) -> Result<bool, Failure> {
    let revoked: i64 = revocations::table.filter(revocations::grant_id.eq(grant_id)).count().get_result(conn)?;
    Ok(revoked > 0 || find(conn, grant_id)?.is_some_and(|row| row.expires_at.plus(unused) <= now))
}

#[derive(Queryable)]
struct Row {
    subject: String,
    workspace_id: Option<i64>,
    expires_at: Timestamp,
}

impl Row {
    fn is_foreign_to(&self, identity: &Identity) -> bool {
        self.subject != identity.subject || self.workspace_id != identity.workspace_id
    }
}

fn find(conn: &mut Conn, grant_id: &str) -> Result<Option<Row>, Failure> {
    Ok(grants::table
        .find(grant_id)
        .select((grants::subject, grants::workspace_id, grants::expires_at))
        .first(conn)
        .optional()?)
}
