//! Many file names in one workspace, and search terms for them.

use std::time::Duration;

use anyhow::{Result, bail};
use cloud_svc::{
    FileId, WorkspaceId,
    base::owner::Owner,
    base::tables::files,
    files::{
        file::FileState,
        name_pieces,
        search::store,
        store::{Filter, Names, Place},
    },
};
use diesel::{Connection as _, PgConnection, SqliteConnection, connection::SimpleConnection as _, prelude::*};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use shared_runtime::Conn;
use tokio::time::Instant;

use crate::changes;

// Rows per statement: bounds the memory for its text.
const BATCH: u64 = 5_000;

// Few enough that some words occur in many names.
const WORDS: u64 = 5_000;

fn word(number: u64) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "do", "ke", "li", "mo", "na", "pe", "ru", "sa", "ti", "vo", "wen", "xi", "yor", "zul", "qua"];
    let number = number % WORDS;
    let syllable = |place: u32| SYLLABLES[usize::try_from(number / 16_u64.pow(place) % 16).unwrap_or_default()];
    [0, 1, 2, 3].map(syllable).concat()
}

/// Three words and the number. In every fourth name, the first word is a frequent one.
fn name(number: u64) -> String {
    let first = if number.is_multiple_of(4) { "report".to_owned() } else { word(number.wrapping_mul(7919)) };
    format!("{first} {} {} {number}", word(number.wrapping_mul(104_729) / 3), word(number.wrapping_mul(1_299_709) / 7))
}

/// A search term for the name with this number: one of its words, or the number.
pub fn term(number: u64) -> String {
    let name = name(number);
    let words: Vec<&str> = name.split(' ').collect();
    words[usize::try_from(number / 5 % 4).unwrap_or_default()].to_owned()
}

fn connect(database: &str) -> Result<Conn> {
    Ok(match database.strip_prefix("sqlite:") {
        Some(path) => Conn::Sqlite(SqliteConnection::establish(path)?),
        None => Conn::Postgres(PgConnection::establish(database)?),
    })
}

// Inserts folders into workspace 1, directly into the database, because only their names matter.
pub fn insert(database: &str, count: u64) -> Result<()> {
    let mut conn = connect(database)?;
    let mut execute = |sql: &str| changes::execute(&mut conn, sql);
    if database.starts_with("sqlite:") {
        execute("PRAGMA busy_timeout = 60000")?;
    }
    for start in (0..count).step_by(usize::try_from(BATCH)?) {
        let row = |number| {
            let (name, change) = (name(number), number + 1);
            format!("(1, '{name}', '{name}', 'folder', 'active', 1, {change}, {change}, 0, 0)")
        };
        let rows: Vec<_> = (start..count.min(start + BATCH)).map(row).collect();
        execute(&format!(
            "INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence, \
             first_change, created_at, updated_at) VALUES {}",
            rows.join(", ")
        ))?;
    }
    execute("ANALYZE files")?;
    index(&mut conn, 1)
}

/// Indexes all names of a workspace, in large transactions.
#[expect(clippy::disallowed_methods, reason = "a connection of its own, past the service")]
pub fn index(conn: &mut Conn, workspace: i64) -> Result<()> {
    let names: Vec<(FileId, WorkspaceId, String)> = files::table
        .filter(files::workspace_id.eq(workspace))
        .select((files::id, files::workspace_id, files::name_key))
        .load(conn)?;
    for batch in names.chunks(usize::try_from(BATCH)?) {
        conn.transaction(|conn| {
            batch.iter().try_for_each(|(id, owner, name_key)| name_pieces::index(conn, *owner, *id, name_key))
        })?;
    }
    Ok(())
}

/// Searches until `length` is over. Returns the number of searches.
pub fn query(database: &str, count: u64, seed: u64, length: Duration) -> Result<u64> {
    let mut conn = connect(database)?;
    match &mut conn {
        Conn::Postgres(conn) => conn.batch_execute("SET jit = off")?,
        Conn::Sqlite(conn) => conn.batch_execute("PRAGMA busy_timeout = 5000")?,
    }
    let mut random = StdRng::seed_from_u64(seed);
    let filter =
        Filter { names: Names::Any, place: Place::Anywhere, kind: None, state: FileState::Active, since: None };
    let (begun, mut queries) = (Instant::now(), 0);
    while begun.elapsed() < length {
        let term = term(random.random_range(0..count));
        if store::search(&mut conn, Owner::without_limits(WorkspaceId::from_number(1)), &term, filter, None, 21)?
            .files
            .is_empty()
        {
            bail!("{term} was not found");
        }
        queries += 1;
    }
    Ok(queries)
}

/// Inserts folders below folder `top`, and files into those, directly into the database.
pub fn insert_tree(database: &str, top: i64, folders: u64, files: u64) -> Result<()> {
    let mut conn = connect(database)?;
    let mut execute = |sql: &str| match &mut conn {
        Conn::Sqlite(conn) => conn.batch_execute(sql),
        Conn::Postgres(conn) => conn.batch_execute(sql),
    };
    if database.starts_with("sqlite:") {
        execute("PRAGMA busy_timeout = 60000")?;
    }
    let first = top + 1_000;
    let columns = "id, workspace_id, parent_id, name, name_key, type, state, current_version, meta_revision, \
                   change_sequence, created_at, updated_at";
    for (count, start, is_folder) in [(folders, first, true), (files, first + i64::try_from(folders)?, false)] {
        for batch in (0..count).step_by(usize::try_from(BATCH)?) {
            let row = |number: u64| {
                let id = start + i64::try_from(number).unwrap_or_default();
                let parent = if is_folder { top } else { first + i64::try_from(number % folders).unwrap_or_default() };
                let (kind, version) = if is_folder { ("folder", "NULL") } else { ("note", "1") };
                let name = name(number);
                format!("({id}, 1, {parent}, '{name}', '{name}', '{kind}', 'active', {version}, 1, 1, 0, 0)")
            };
            let rows: Vec<_> = (batch..count.min(batch + BATCH)).map(row).collect();
            execute(&format!("INSERT INTO files ({columns}) VALUES {}", rows.join(", ")))?;
        }
    }
    execute("ANALYZE files")?;
    Ok(())
}
