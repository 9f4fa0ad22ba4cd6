//! Inserts the rows of a create without HTTP: with the four statements that the service needs, or with one.

mod four;
mod one;
mod values;

use std::time::Duration;

use anyhow::{Result, anyhow};
use diesel::{connection::SimpleConnection as _, prelude::*};
use serde::{Deserialize, Serialize};
use shared_model::Random;
use shared_runtime::Conn;
use tokio::time::Instant;

use crate::{document::document, process};

// The service's own limit for documents per commit on SQLite.
const BATCH: u64 = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Manner {
    /// One statement per table.
    Four,
    /// One statement with common table expressions. PostgreSQL only: those of SQLite cannot write.
    One,
}

impl Manner {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Four => "four",
            Self::One => "one",
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
pub struct Written {
    documents: u64,
    elapsed: Duration,
    processor: Duration,
}

impl Written {
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.elapsed += other.elapsed;
        self.processor += other.processor;
    }

    pub fn rate(&self) -> f64 {
        self.documents as f64 / self.elapsed.as_secs_f64()
    }

    /// Processor time per document, in microseconds.
    pub fn processor_micros(&self) -> f64 {
        self.processor.as_secs_f64() * 1e6 / self.documents.max(1) as f64
    }
}

/// Inserts documents until `span` is over and prints the result as JSON. SQLite: one connection and large commits.
/// PostgreSQL: many connections, one document per commit, READ COMMITTED.
pub fn write(database: &str, manner: Manner, connections: usize, workspaces: i64, span: Duration) -> Result<()> {
    let pid = std::process::id();
    let before = process::processor_time(pid)?;
    let begun = Instant::now();
    let connections = if database.starts_with("sqlite:") { 1 } else { connections };
    let writers: Vec<_> = (0..connections)
        .map(|number| {
            let database = database.to_owned();
            let first = i64::try_from(number).unwrap_or_default();
            std::thread::spawn(move || writer(&database, manner, first, workspaces, begun + span))
        })
        .collect();
    let mut documents = 0;
    for writer in writers {
        documents += writer.join().map_err(|_| anyhow!("a writer panicked"))??;
    }
    let processor = process::processor_time(pid)?.saturating_sub(before);
    let written = Written { documents, elapsed: begun.elapsed(), processor };
    println!("{}", serde_json::to_string(&written)?);
    Ok(())
}

fn writer(database: &str, manner: Manner, first: i64, workspaces: i64, until: Instant) -> Result<u64> {
    let (mut conn, begin, batch) = match database.strip_prefix("sqlite:") {
        Some(path) => {
            let mut conn = SqliteConnection::establish(path)?;
            conn.batch_execute(
                // The service's own settings: a faster journal would flatter the peer.
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000",
            )?;
            (Conn::Sqlite(conn), "BEGIN IMMEDIATE", BATCH)
        }
        None => (Conn::Postgres(PgConnection::establish(database)?), "BEGIN", 1),
    };
    let content = document(512)["content"].to_string();
    let (mut documents, mut workspace) = (0, first);
    while Instant::now() < until {
        if manner == Manner::Four {
            conn.batch_execute(begin)?;
        }
        for _ in 0..batch {
            let mut key = [0; 32];
            key[..16].copy_from_slice(&Random::System.bytes16());
            match manner {
                Manner::Four => four::document(&mut conn, 1 + workspace % workspaces, &content, &key)?,
                Manner::One => one::document(&mut conn, 1 + workspace % workspaces, &content, &key)?,
            }
            workspace += 1;
        }
        if manner == Manner::Four {
            conn.batch_execute("COMMIT")?;
        }
        documents += batch;
    }
    Ok(documents)
}
