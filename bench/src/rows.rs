//! The rows of a create, written by bare diesel: the four statements that the service cannot do without.

use std::time::Duration;

use diesel::{connection::SimpleConnection as _, prelude::*};
use serde::{Deserialize, Serialize};
use shared_runtime::Conn;
use tokio::time::Instant;

use crate::{Outcome, process};

/// Documents that share one commit on SQLite, as in the service.
const BATCH: u64 = 32;

/// What was written.
#[derive(Default, Serialize, Deserialize)]
pub struct Written {
    documents: u64,
    elapsed: Duration,
    processor: Duration,
    /// How they were written, in words.
    pub manner: String,
}

impl Written {
    /// Adds another round.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.elapsed += other.elapsed;
        self.processor += other.processor;
        self.manner.clone_from(&other.manner);
    }

    /// Documents a second.
    pub fn rate(&self) -> f64 {
        self.documents as f64 / self.elapsed.as_secs_f64()
    }

    /// Microseconds of this process's time for each document.
    pub fn processor_micros(&self) -> f64 {
        self.processor.as_secs_f64() * 1e6 / self.documents.max(1) as f64
    }
}

/// Writes for so long and prints what was written, as JSON.
pub fn write(database: &str, connections: usize, span: Duration) -> Outcome {
    let pid = std::process::id();
    let before = process::processor_time(pid)?;
    let begun = Instant::now();
    let (documents, manner) = if database.starts_with("sqlite:") {
        let manner = format!("one connection, {BATCH} documents a commit, synchronous=FULL");
        (one_writer(database, begun + span, BATCH)?, manner)
    } else {
        let writers: Vec<_> = (0..connections)
            .map(|_| {
                let database = database.to_owned();
                std::thread::spawn(move || one_writer(&database, begun + span, 1).map_err(|error| error.to_string()))
            })
            .collect();
        let mut documents = 0;
        for writer in writers {
            documents += writer.join().map_err(|_| "a writer panicked")??;
        }
        (documents, format!("{connections} connections, one document a commit, READ COMMITTED"))
    };
    let processor = process::processor_time(pid)?.saturating_sub(before);
    let written = Written { documents, elapsed: begun.elapsed(), processor, manner };
    println!("{}", serde_json::to_string(&written)?);
    Ok(())
}

fn one_writer(database: &str, until: Instant, batch: u64) -> Outcome<u64> {
    let (mut conn, begin) = match database.strip_prefix("sqlite:") {
        Some(path) => {
            let mut conn = SqliteConnection::establish(path)?;
            conn.batch_execute(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000",
            )?;
            (Conn::Sqlite(conn), "BEGIN IMMEDIATE")
        }
        None => (Conn::Postgres(PgConnection::establish(database)?), "BEGIN"),
    };
    let content = crate::read::document(512)["content"].to_string();
    let mut documents = 0;
    while Instant::now() < until {
        conn.batch_execute(begin)?;
        for _ in 0..batch {
            document(&mut conn, &content)?;
        }
        conn.batch_execute("COMMIT")?;
        documents += batch;
    }
    Ok(documents)
}

/// Workspace, file, version, ledger.
fn document(conn: &mut Conn, content: &str) -> QueryResult<()> {
    const NOW: i64 = 1_800_000_000_000_000;
    const NAME: &str = "Benchmark";
    let bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let sequence: i64 = diesel::update(workspaces::table.find(1))
        .set((
            workspaces::storage_used_bytes.eq(workspaces::storage_used_bytes + bytes),
            workspaces::change_sequence.eq(workspaces::change_sequence + 1),
        ))
        .returning(workspaces::change_sequence)
        .get_result(conn)?;
    let file: i64 = diesel::insert_into(files::table)
        .values((
            files::workspace_id.eq(1),
            files::name.eq(NAME),
            files::name_key.eq("benchmark"),
            files::kind.eq("document"),
            files::state.eq("active"),
            files::current_version.eq(1),
            files::meta_revision.eq(1),
            files::change_sequence.eq(sequence),
            files::created_at.eq(NOW),
            files::updated_at.eq(NOW),
        ))
        .returning(files::id)
        .get_result(conn)?;
    let _version: i64 = diesel::insert_into(versions::table)
        .values((
            versions::file_id.eq(file),
            versions::number.eq(1),
            versions::content_bytes.eq(bytes),
            versions::sha256.eq("0".repeat(64)),
            versions::created_by.eq("{\"type\":\"user\",\"id\":\"ada\",\"display_name\":\"ada\"}"),
            versions::created_at.eq(NOW),
            versions::content.eq(content),
        ))
        .returning(versions::id)
        .get_result(conn)?;
    let scope: [u8; 32] = std::array::from_fn(|_| shared_runtime::base::random::Random::System.bytes16()[0]);
    diesel::insert_into(idempotency::table)
        .values((
            idempotency::scope.eq(scope.as_slice()),
            idempotency::fingerprint.eq(scope.as_slice()),
            idempotency::created_at.eq(NOW),
            idempotency::expires_at.eq(NOW + 1),
            idempotency::status.eq(200),
            idempotency::headers.eq("[]"),
            idempotency::payload.eq("{\"file\":{}}".repeat(40)),
        ))
        .execute(conn)?;
    Ok(())
}

diesel::table! {
    workspaces (id) { id -> BigInt, storage_used_bytes -> BigInt, change_sequence -> BigInt, }
}
diesel::table! {
    files (id) {
        id -> BigInt,
        workspace_id -> BigInt,
        name -> Text,
        name_key -> Text,
        #[sql_name = "type"]
        kind -> Text,
        state -> Text,
        current_version -> Nullable<BigInt>,
        meta_revision -> BigInt,
        change_sequence -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}
diesel::table! {
    versions (id) {
        id -> BigInt,
        file_id -> BigInt,
        number -> BigInt,
        content_bytes -> BigInt,
        sha256 -> Text,
        created_by -> Text,
        created_at -> BigInt,
        content -> Text,
    }
}
diesel::table! {
    idempotency (scope) {
        scope -> Binary,
        fingerprint -> Binary,
        created_at -> BigInt,
        expires_at -> BigInt,
        status -> Nullable<Integer>,
        headers -> Nullable<Text>,
        payload -> Nullable<Text>,
    }
}
