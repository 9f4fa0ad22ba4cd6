//! Migrations, and the schema they make.

use std::os::unix::fs::PermissionsExt as _;

use super::{fresh::Fresh, identity};
use crate::state::db::{Db, schema::columns};

#[tokio::test]
async fn both_databases_have_the_same_columns() {
    let fresh = Fresh::new(1).await;
    let columns = fresh.direct(|conn| columns(conn).expect("columns"));
    let lines: Vec<String> = columns
        .iter()
        .filter(|column| column.table_name != "counters")
        .map(|column| {
            let null = if column.nullable { "?" } else { "" };
            format!("{}.{} {}{null}", column.table_name, column.column_name, column.class)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "database_identity.number integer",
            "database_identity.surface text",
            "database_identity.secret_fingerprint bytes",
            "grants.grant_id text",
            "grants.subject text",
            "grants.workspace_id integer?",
            "grants.first_seen_at integer",
            "grants.expires_at integer",
            "idempotency.scope bytes",
            "idempotency.fingerprint bytes",
            "idempotency.created_at integer",
            "idempotency.expires_at integer",
            "idempotency.status integer?",
            "idempotency.headers text?",
            "idempotency.payload text?",
            "jobs.id integer",
            "jobs.kind text",
            "jobs.key text",
            "jobs.payload text",
            "jobs.run_at integer",
            "jobs.attempts integer",
            "jobs.epoch integer",
            "jobs.lease_until integer?",
            "jobs.holder text?",
            "revocations.number integer",
            "revocations.grant_id text",
            "revocations.revoked_at integer",
        ]
    );
}

#[tokio::test]
async fn a_second_migration_finds_nothing_to_do() {
    let fresh = Fresh::new(1).await;
    assert!(fresh.db.pending_migrations().await.expect("a list").is_empty());
    assert!(fresh.db.migrate().await.expect("a list").is_empty());
}

#[tokio::test]
async fn processes_that_migrate_at_the_same_time_do_it_once() {
    let fresh = Fresh::empty(1).await;
    let lacking = fresh.db.pending_migrations().await.expect("a list");
    assert!(!lacking.is_empty());
    let all = futures_util::future::join_all((0..4).map(|_| async {
        let db = Db::open(&fresh.url, 1, identity()).await.expect("a database");
        db.migrate().await.expect("it waits for the others").len()
    }))
    .await;
    assert_eq!(all.iter().sum::<usize>(), lacking.len());
}

#[tokio::test]
async fn a_database_file_is_its_owners_alone() {
    let fresh = Fresh::new(1).await;
    fresh.db.write(|conn| super::insert(conn, 1)).await.expect("a counter");
    let mode = |path: &str| {
        std::fs::metadata(fresh.folder.path().join(path)).map(|metadata| metadata.permissions().mode() & 0o777)
    };
    // There is no file when the run is on PostgreSQL.
    if fresh.url.starts_with("sqlite:") {
        assert_eq!(mode("test.db").expect("a file"), 0o600);
        assert_eq!(mode("test.db-wal").expect("a file"), 0o600);
    } else {
        assert!(mode("test.db").is_err());
    }
}
