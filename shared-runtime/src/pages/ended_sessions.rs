//! Sessions that people have ended before their token expires.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Error, Failure, Timestamp};

use crate::{
    on_each,
    state::{
        db::{Conn, Db},
        sweep::Sweep,
    },
};

diesel::table! {
    /// Both columns of the key are of the session's cookie, which nobody can make from them.
    ended_sessions (subject, session) {
        subject -> Text,
        /// Empty: all sessions of the person that began until `ended_at`.
        session -> Text,
        ended_at -> BigInt,
        /// No token of an ended session is valid then.
        expires_at -> BigInt,
    }
}

pub const SWEEP: Sweep = Sweep { name: "ended sessions", delete_batch };

const ALL: &str = "";
// No token is accepted for longer than 30 days; a day more covers clocks that differ.
const LONGEST: Duration = Duration::from_secs(31 * 86_400);

/// What identifies a session of a person.
#[derive(Clone, Debug)]
pub struct SessionKey {
    pub subject: String,
    pub session: String,
    pub began_at: Timestamp,
}

/// Read for every page, so that a copied cookie is of no use from the sign-out on.
pub async fn has_ended(db: &Db, key: SessionKey) -> Result<bool, Error> {
    // One query for both rows: every page waits for it.
    db.look_up(move |conn| {
        let this = ended_sessions::session.eq(&key.session);
        let all = ended_sessions::session.eq(ALL).and(ended_sessions::ended_at.ge(key.began_at));
        let of_person = ended_sessions::table.filter(ended_sessions::subject.eq(&key.subject));
        let found: i64 = of_person.filter(this.or(all)).count().get_result(conn)?;
        Ok(found > 0)
    })
    .await
}

/// Ends this session.
pub async fn end(db: &Db, key: SessionKey, now: Timestamp, expires_at: Timestamp) -> Result<(), Error> {
    db.write(move |conn| Ok(put(conn, (&key.subject, &key.session), now, expires_at)?)).await
}

/// Ends all sessions of the person that have begun until now.
pub async fn end_all(db: &Db, key: SessionKey, now: Timestamp) -> Result<(), Error> {
    db.write(move |conn| Ok(put(conn, (&key.subject, ALL), now, now.plus(LONGEST))?)).await
}

fn put(
    conn: &mut Conn,
    (subject, session): (&str, &str),
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), Failure> {
    // Two statements instead of an upsert: writes without a key run alone.
    diesel::delete(ended_sessions::table.find((subject, session))).execute(conn)?;
    diesel::insert_into(ended_sessions::table)
        .values((
            ended_sessions::subject.eq(subject),
            ended_sessions::session.eq(session),
            ended_sessions::ended_at.eq(now),
            ended_sessions::expires_at.eq(expires_at),
        ))
        .execute(conn)?;
    Ok(())
}

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    // A batch of moments, because the key has two columns. Rows of the same moment go together.
    let expired = diesel::alias!(ended_sessions as expired);
    let batch = expired
        .filter(expired.field(ended_sessions::expires_at).le(now))
        .select(expired.field(ended_sessions::expires_at))
        .order(expired.field(ended_sessions::expires_at))
        .limit(limit);
    let delete = diesel::delete(ended_sessions::table.filter(ended_sessions::expires_at.eq_any(batch)));
    Ok(on_each!(conn, |c| delete.execute(c))?)
}
