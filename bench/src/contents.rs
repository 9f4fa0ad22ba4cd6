//! Many documents in one workspace, and search terms for them.

use std::time::Duration;

use anyhow::{Result, bail};
use diesel::{
    Connection as _, PgConnection, SqliteConnection, connection::SimpleConnection as _, prelude::*, sql_query,
    sql_types::BigInt,
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use shared_runtime::{Conn, on_each};
use tokio::time::{Instant, sleep};

use crate::changes;

// Rows per statement: bounds the memory for its text.
const BATCH: u64 = 500;
const VOCABULARY: f64 = 50_000.0;
/// Words of a document.
pub const WORDS: usize = 200;

/// A word of three to ten letters. The same number is always the same word.
fn word(number: u64) -> String {
    const FIRST: &[u8] = b"bcdfghjklmnprstvwz";
    const SECOND: &[u8] = b"aeiouy";
    let mut random = StdRng::seed_from_u64(number);
    let length = random.random_range(3..=10);
    let letter = |at: usize, random: &mut StdRng| {
        // Mostly in turn, as in a language.
        let letters = if at.is_multiple_of(2) == random.random_bool(0.85) { FIRST } else { SECOND };
        char::from(letters[random.random_range(0..letters.len())])
    };
    (0..length).map(|at| letter(at, &mut random)).collect()
}

/// Frequent words are small numbers: the second is half as frequent as the first, as in a language.
fn number(random: &mut StdRng) -> u64 {
    let logarithm = random.random_range(0.0..VOCABULARY.ln());
    logarithm.exp() as u64
}

/// Words that some document has, one or two.
pub fn terms(random: &mut StdRng) -> String {
    let count = random.random_range(1..=2);
    let words: Vec<_> = (0..count).map(|_| word(number(random))).collect();
    words.join("+")
}

fn connect(database: &str) -> Result<Conn> {
    Ok(match database.strip_prefix("sqlite:") {
        Some(path) => {
            let mut conn = SqliteConnection::establish(path)?;
            conn.batch_execute("PRAGMA busy_timeout = 60000")?;
            Conn::Sqlite(conn)
        }
        None => Conn::Postgres(PgConnection::establish(database)?),
    })
}

/// Inserts documents into workspace 1, directly into the database, and leaves the index to the service. Returns the bytes of
/// their texts.
pub fn insert(database: &str, count: u64) -> Result<u64> {
    let mut conn = connect(database)?;
    let mut execute = |sql: &str| changes::execute(&mut conn, sql);
    let mut random = StdRng::seed_from_u64(1);
    let words: Vec<String> = (0..VOCABULARY as u64).map(word).collect();
    let (mut bytes, sha256) = (0, "0".repeat(64));
    for start in (1..=count).step_by(usize::try_from(BATCH)?) {
        let (mut files, mut versions, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for id in start..(start + BATCH).min(count + 1) {
            let text: Vec<&str> =
                (0..WORDS).map(|_| words[usize::try_from(number(&mut random)).unwrap_or_default()].as_str()).collect();
            let text = text.join(" ");
            bytes += text.len() as u64;
            let block = format!(r#"{{"id":"b_1","type":"paragraph","segments":[{{"text":"{text}"}}]}}"#);
            let content = format!(r#"{{"kind":"docs","blocks":[{block}]}}"#);
            files.push(format!("({id}, 1, 'D{id}', 'd{id}', 'document', 'active', 1, 1, {id}, {id}, 0, 0)"));
            versions.push(format!("({id}, 1, {}, '{sha256}', '{{}}', 0, '{content}')", content.len()));
            entries.push(format!("({id}, 1, {id})"));
        }
        execute(&format!(
            "INSERT INTO files (id, workspace_id, name, name_key, type, state, current_version, meta_revision, \
             change_sequence, first_change, created_at, updated_at) VALUES {};
             INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content) VALUES {};
             INSERT INTO search_entries (file_id, workspace_id, sequence) VALUES {};",
            files.join(", "),
            versions.join(", "),
            entries.join(", ")
        ))?;
    }
    execute(&format!("UPDATE workspaces SET change_sequence = {count} WHERE id = 1"))?;
    execute("ANALYZE")?;
    // What each command does in its transaction.
    execute(
        "INSERT INTO jobs (kind, key, payload, run_at, attempts, epoch) VALUES ('search_index', '1', '', 0, 0, 0)",
    )?;
    Ok(bytes)
}

/// Waits until the service has indexed everything; returns how long that took.
pub async fn indexed(database: &str) -> Result<Duration> {
    let begun = Instant::now();
    while number_of(database, "SELECT count(*) AS number FROM jobs WHERE kind = 'search_index'")? > 0 {
        if begun.elapsed() > Duration::from_secs(900) {
            bail!("the index is not complete after 15 minutes");
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok(begun.elapsed())
}

/// The bytes of the index.
pub fn index_bytes(database: &str) -> Result<i64> {
    let lists = number_of(database, "SELECT CAST(sum(length(lists)) AS BIGINT) AS number FROM search_blocks")?;
    // Bytes of keys and row headers, rounded up.
    let blocks = number_of(database, "SELECT count(*) AS number FROM search_blocks")?;
    let entries = number_of(database, "SELECT count(*) AS number FROM search_entries")?;
    Ok(lists + blocks * 80 + entries * 100)
}

fn number_of(database: &str, sql: &str) -> Result<i64> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    let mut conn = connect(database)?;
    let row: Row = on_each!(&mut conn, |c| sql_query(sql).get_result(c))?;
    Ok(row.number)
}
