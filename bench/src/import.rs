//! `bench import`: `orders-svc import`, compared with the database's own copy tool (`COPY` by psql, `.import` by
//! sqlite3). That tool checks less, so it is an upper bound.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use shared_testing::{database::Database, servers::Servers};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::{binaries, order_file, process, report};

#[derive(Args, Clone)]
pub struct Amount {
    /// Orders in the file
    #[arg(long, default_value_t = 1_000_000)]
    orders: u64,
    /// Admin URL of a PostgreSQL server for temporary databases; needs psql. Without it: SQLite, with sqlite3
    #[arg(long)]
    postgres: Option<String>,
}

pub async fn run(amount: &Amount) -> Result<()> {
    let site = Site::prepare(amount)?;
    let (file, bytes) =
        order_file::write(site.folder.path(), amount.orders, |number| format!("owner-{}", number % 1000))?;
    let ground = if site.servers.is_some() { "PostgreSQL" } else { "SQLite" };
    println!("import: {} orders, {} MiB of lines, {ground}", amount.orders, bytes >> 20);
    println!("{:<34} {:>10} {:>12} {:>10}", "", "seconds", "orders/s", "peak MiB");

    let ours = site.database("import");
    site.migrate(&ours)?;
    let new = site.import(&ours, &file, false).await?;
    new.print("orders-svc import", amount.orders);
    let again = site.import(&ours, &file, false).await?;
    again.print("the same again: nothing changes", amount.orders);
    let theirs = site.database("strict");
    site.migrate(&theirs)?;
    site.import(&theirs, &file, true).await?.print("orders-svc import --strict", amount.orders);

    let limit = if site.servers.is_some() { copied(&site, &ours)? } else { imported(&site, &ours)? };
    limit.print(
        if site.servers.is_some() { "psql: COPY, same table" } else { "sqlite3: .import, no CHECKs" },
        amount.orders,
    );
    report::ratios(&[report::ratio("import_time_vs_copy", new.elapsed.as_secs_f64(), limit.elapsed.as_secs_f64())]);
    Ok(())
}

struct Took {
    elapsed: Duration,
    /// Peak of resident memory, if measured.
    peak_mib: Option<f64>,
}

impl Took {
    fn print(&self, what: &str, orders: u64) {
        let seconds = self.elapsed.as_secs_f64();
        let peak = self.peak_mib.map_or(String::new(), |peak| format!("{peak:.1}"));
        println!("{what:<34} {seconds:>10.2} {:>12.0} {peak:>10}", orders as f64 / seconds);
    }
}

/// Folder and servers of the run.
struct Site {
    folder: TempDir,
    program: PathBuf,
    servers: Option<Servers>,
}

impl Site {
    fn prepare(amount: &Amount) -> Result<Self> {
        let servers =
            amount.postgres.clone().map(|postgres| Servers { postgres, redis: String::new(), is_shared: true });
        Ok(Self { folder: tempfile::tempdir()?, program: binaries::of("orders-svc")?, servers })
    }

    /// An empty database. `name` distinguishes SQLite files.
    fn database(&self, name: &str) -> Database {
        let mut database = Database::fresh(self.servers.as_ref(), self.folder.path());
        if self.servers.is_none() {
            database.url = format!("sqlite:{}", self.folder.path().join(name).with_extension("db").display());
        }
        database
    }

    fn orders(&self, database: &Database) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().env("DATABASE_URL", &database.url).env("RUST_LOG", "warn");
        command.env("SERVICE_SECRET", "0123456789abcdef0123456789abcdef");
        command
    }

    fn migrate(&self, database: &Database) -> Result<()> {
        succeeded(self.orders(database).arg("migrate").spawn()?.wait()?.success(), "orders-svc migrate")
    }

    async fn import(&self, database: &Database, file: &Path, strictly: bool) -> Result<Took> {
        let mut command = self.orders(database);
        command.arg("import").arg(file).stderr(Stdio::null());
        if strictly {
            command.arg("--strict");
        }
        let begun = Instant::now();
        let took = watched(command.spawn()?, begun).await?;
        Ok(took)
    }
}

/// Waits for a process and records its peak memory.
async fn watched(mut child: Child, begun: Instant) -> Result<Took> {
    // Starts at zero, because the process may end before the first sample.
    let mut peak_mib = 0.0_f64;
    loop {
        if let Some(status) = child.try_wait()? {
            succeeded(status.success(), "orders-svc import")?;
            return Ok(Took { elapsed: begun.elapsed(), peak_mib: Some(peak_mib) });
        }
        // Sampled while it runs, because the kernel's peak counter disappears with the process.
        peak_mib = peak_mib.max(process::peak_mib(child.id()).unwrap_or(0.0));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Copies the rows from one PostgreSQL database to another with the same indexes and checks.
fn copied(site: &Site, ours: &Database) -> Result<Took> {
    let rows = site.folder.path().join("rows.csv");
    psql(&ours.url, &format!("\\copy orders TO '{}' WITH (FORMAT csv)", rows.display()))?;
    let fresh = site.database("limit");
    site.migrate(&fresh)?;
    let begun = Instant::now();
    psql(&fresh.url, &format!("\\copy orders FROM '{}' WITH (FORMAT csv)", rows.display()))?;
    Ok(Took { elapsed: begun.elapsed(), peak_mib: None })
}

fn psql(url: &str, command: &str) -> Result<()> {
    let status =
        Command::new("psql").args([url, "--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-c", command]).status();
    succeeded(status.context("psql")?.success(), "psql")
}

// Copies the rows to a SQLite table with the same columns and indexes. Without CHECKs, because `.import` cannot write
// NULL.
fn imported(site: &Site, ours: &Database) -> Result<Took> {
    let rows = site.folder.path().join("rows.csv");
    let path = |database: &Database| database.url.trim_start_matches("sqlite:").to_owned();
    sqlite3(&path(ours), &[".mode csv", &format!(".output '{}'", rows.display()), "SELECT * FROM orders;"])?;
    let fresh = path(&site.database("limit"));
    let table = "CREATE TABLE orders (id TEXT NOT NULL PRIMARY KEY, owner TEXT, number TEXT NOT NULL UNIQUE, state TEXT, \
                 version BIGINT, currency TEXT, subtotal_minor BIGINT, discount_minor BIGINT, tax_minor BIGINT, \
                 total_minor BIGINT, paid_minor BIGINT, refunded_minor BIGINT, due_minor BIGINT, lines TEXT, payment TEXT, \
                 timeline TEXT, subscription_id TEXT, room_id TEXT, placed_at BIGINT, updated_at BIGINT, \
                 completed_at BIGINT, cancelled_at BIGINT); CREATE INDEX orders_by_owner ON orders (owner, placed_at, id);";
    sqlite3(&fresh, &["PRAGMA journal_mode = WAL;", table])?;
    let begun = Instant::now();
    sqlite3(&fresh, &["PRAGMA synchronous = FULL;", ".mode csv", &format!(".import '{}' orders", rows.display())])?;
    Ok(Took { elapsed: begun.elapsed(), peak_mib: None })
}

fn sqlite3(file: &str, commands: &[&str]) -> Result<()> {
    let status = Command::new("sqlite3").args(["-batch", "-bail", file]).args(commands).stdout(Stdio::null()).status();
    succeeded(status.context("sqlite3")?.success(), "sqlite3")
}

fn succeeded(has: bool, what: &str) -> Result<()> {
    if has { Ok(()) } else { Err(anyhow!("{what} failed")) }
}
