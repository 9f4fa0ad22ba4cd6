//! Grants are recorded when a token of them is first seen, so any standard authorization server can issue them.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};

use super::{
    claims::Identity,
    tables::{grants, revocations},
};
use crate::state::db::{Conn, LaneKey};

/// What a service does in the transaction that records a new grant.
pub type OnFirstSeen = fn(&mut Conn, &Identity, Timestamp) -> Result<(), Failure>;

/// How the grant of a token compares with its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantRecord {
    Missing,
    /// The record expires before this token.
    Outdated,
    Same,
    /// The record has another subject or workspace.
    Foreign,
}

pub fn compare(conn: &mut Conn, identity: &Identity) -> Result<GrantRecord, Failure> {
    Ok(match find(conn, &identity.grant_id)? {
        Some(row) if row.is_foreign_to(identity) => GrantRecord::Foreign,
        Some(row) if row.expires_at >= identity.expires_at => GrantRecord::Same,
        Some(_) => GrantRecord::Outdated,
        None => GrantRecord::Missing,
    })
}

/// The lane of [`record`]: that of the workspace, because `on_first_seen` writes rows of it; else one of the grant.
// A grant with tokens for two workspaces is recorded in two lanes. The unique key lets the first one in. The other
// transaction runs again, and then finds a record of another workspace.
pub fn lane(identity: &Identity) -> LaneKey {
    match identity.workspace_id {
        Some(number) => LaneKey::for_workspace(number),
        None => LaneKey::from_name(identity.grant_id.as_bytes()),
    }
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

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        sync::{Mutex, mpsc},
    };

    use futures_util::future::join_all;
    use shared_model::Error;

    use super::*;
    use crate::state::db::{Db, tests::fresh::Fresh};

    const NOW: Timestamp = Timestamp::from_seconds(1_795_253_400);

    fn identity(grant: &str, workspace: i64) -> Identity {
        Identity {
            subject: "ada".to_owned(),
            grant_id: grant.to_owned(),
            scopes: Vec::new(),
            expires_at: NOW.plus(Duration::from_secs(3600)),
            workspace_id: Some(workspace),
            actor: None,
            grant_kind: None,
        }
    }

    async fn record_in_its_lane(db: &Db, identity: Identity) -> Result<GrantRecord, Error> {
        db.write_in(lane(&identity), move |conn| Ok(record(conn, &identity, NOW, |_, _, _| Ok(()))?)).await
    }

    #[tokio::test]
    async fn a_grant_for_eight_workspaces_at_once_is_recorded_for_one() {
        let fresh = Fresh::new(1).await;
        for round in 0..8 {
            let grant = format!("grant-{round}");
            let all = (1..=8).map(|workspace| record_in_its_lane(&fresh.db, identity(&grant, workspace)));
            let outcomes: Vec<_> = join_all(all).await.into_iter().map(|outcome| outcome.expect("a record")).collect();
            let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
            assert_eq!((count(GrantRecord::Same), count(GrantRecord::Foreign)), (1, 7), "{outcomes:?}");
        }
        assert_eq!(fresh.number("SELECT count(*) AS number FROM grants"), 8);
    }

    /// SQLite has one lane.
    #[tokio::test]
    #[ignore = "needs PostgreSQL"]
    async fn a_grant_that_another_lane_records_meanwhile_is_foreign() {
        let fresh = Fresh::on_postgresql(1).await;
        let (first, second) = (identity("grant", 1), identity("grant", 2));
        let (insert, has_inserted) = mpsc::channel();
        let (commit, may_commit) = mpsc::channel::<()>();
        let may_commit = Mutex::new(may_commit);
        let recording = fresh.db.write_in(lane(&first), move |conn| {
            let recorded = record(conn, &first, NOW, |_, _, _| Ok(()))?;
            insert.send(()).expect("the test waits");
            // Until the other transaction waits for this one, or the test ends.
            let _ = may_commit.lock().expect("one transaction").recv();
            Ok(recorded)
        });
        let meanwhile = async {
            tokio::task::spawn_blocking(move || has_inserted.recv()).await.expect("a thread").expect("a row");
            let is_waited_for = async {
                let waiting = "SELECT count(*) AS number FROM pg_stat_activity \
                               WHERE datname = current_database() AND wait_event = 'transactionid'";
                while fresh.number(waiting) == 0 {
                    tokio::task::yield_now().await;
                }
            };
            let mut other = pin!(record_in_its_lane(&fresh.db, second));
            tokio::select! {
                biased;
                outcome = &mut other => panic!("it was to wait for the row: {outcome:?}"),
                () = is_waited_for => {}
            }
            drop(commit);
            other.await
        };
        let (recorded, other) = tokio::join!(recording, meanwhile);
        assert_eq!(recorded.expect("a record"), GrantRecord::Same);
        assert_eq!(other.expect("a comparison"), GrantRecord::Foreign);
    }
}
