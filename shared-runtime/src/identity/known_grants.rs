//! Grants as the operator sees them.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, Timestamp};

use super::tables::{grants, revocations};
use crate::state::db::{Conn, prepared};

/// A grant of which a token was seen here, or which was revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownGrant {
    pub grant_id: String,
    /// `None`: it was revoked, and no token of it was ever seen.
    pub subject: Option<String>,
    /// `None` in services without workspaces.
    pub workspace_id: Option<String>,
    pub first_seen_at: Option<Timestamp>,
    /// When the last token that was seen of it expires.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// Neither revoked nor expired.
    pub is_active: bool,
}

/// Which grants to list.
#[derive(Clone, Debug, Default)]
pub struct GrantFilter {
    pub subject: Option<String>,
    pub workspace: Option<i64>,
    pub is_active: bool,
}

type Row = (String, String, Option<i64>, Timestamp, Timestamp, Option<Timestamp>);

/// Up to `rows` grants of which a token was seen here, in the order of their ids, starting after `after`.
pub fn list(
    conn: &mut Conn,
    filter: &GrantFilter,
    after: &str,
    rows: i64,
    now: Timestamp,
) -> Result<Vec<KnownGrant>, Failure> {
    let mut query = grants::table
        .left_join(revocations::table.on(revocations::grant_id.eq(grants::grant_id)))
        .filter(grants::grant_id.gt(after))
        .order(grants::grant_id)
        .limit(rows)
        .select((
            grants::grant_id,
            grants::subject,
            grants::workspace_id,
            grants::first_seen_at,
            grants::expires_at,
            revocations::revoked_at.nullable(),
        ))
        .into_boxed();
    if let Some(subject) = &filter.subject {
        query = query.filter(grants::subject.eq(subject));
    }
    if let Some(workspace) = filter.workspace {
        query = query.filter(grants::workspace_id.eq(workspace));
    }
    if filter.is_active {
        query = query.filter(grants::expires_at.gt(now).and(revocations::grant_id.nullable().is_null()));
    }
    let found: Vec<Row> = prepared(query).load(conn)?;
    Ok(found.into_iter().map(|row| known(row, now)).collect())
}

/// One grant, seen or revoked.
pub fn find(conn: &mut Conn, grant_id: &str, now: Timestamp) -> Result<Option<KnownGrant>, Failure> {
    let seen: Option<(String, Option<i64>, Timestamp, Timestamp)> = grants::table
        .find(grant_id)
        .select((grants::subject, grants::workspace_id, grants::first_seen_at, grants::expires_at))
        .first(conn)
        .optional()?;
    let of_grant = revocations::table.filter(revocations::grant_id.eq(grant_id));
    let revoked_at: Option<Timestamp> = of_grant.select(revocations::revoked_at).first(conn).optional()?;
    let grant_id = grant_id.to_owned();
    Ok(match (seen, revoked_at) {
        (Some((subject, workspace, first_seen_at, expires_at)), revoked_at) => {
            Some(known((grant_id, subject, workspace, first_seen_at, expires_at, revoked_at), now))
        }
        (None, None) => None,
        (None, revoked_at) => Some(KnownGrant {
            grant_id,
            subject: None,
            workspace_id: None,
            first_seen_at: None,
            expires_at: None,
            revoked_at,
            is_active: false,
        }),
    })
}

fn known((grant_id, subject, workspace, first_seen_at, expires_at, revoked_at): Row, now: Timestamp) -> KnownGrant {
    KnownGrant {
        grant_id,
        subject: Some(subject),
        workspace_id: workspace.map(|number| format!("ws_{number}")),
        first_seen_at: Some(first_seen_at),
        expires_at: Some(expires_at),
        revoked_at,
        is_active: revoked_at.is_none() && expires_at > now,
    }
}
