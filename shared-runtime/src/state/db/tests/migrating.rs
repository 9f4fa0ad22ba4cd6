//! Migrations run once, and a database file is private.

use std::os::unix::fs::PermissionsExt as _;

use diesel::connection::SimpleConnection as _;

use super::{fresh::Fresh, identity};
use crate::state::db::Db;

#[tokio::test]
async fn a_second_migration_finds_nothing_to_do() {
    let fresh = Fresh::new(1).await;
    assert!(fresh.db.pending_migrations().await.expect("a list").is_empty());
    assert!(fresh.db.migrate().await.expect("a list").is_empty());
}

#[tokio::test]
async fn a_release_runs_on_the_schema_of_the_next_one() {
    let fresh = Fresh::new(1).await;
    // A newer process has migrated first, and this one is started again.
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000')";
    fresh.direct(|conn| conn.batch_execute(newer).expect("a version that this release does not know"));
    let again = Db::open(&fresh.url, 1, identity()).await.expect("a database");
    assert!(again.pending_migrations().await.expect("a list").is_empty());
    assert!(again.migrate().await.expect("nothing is refused").is_empty());
    again.write(|conn| super::insert(conn, 1)).await.expect("a counter");
    assert_eq!(again.read(super::ids).await.expect("ids"), [1]);
    let kept = "SELECT count(*) AS number FROM __diesel_schema_migrations WHERE version = '99991231000000'";
    assert_eq!(fresh.number(kept), 1);
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
async fn only_the_owner_may_read_a_database_file() {
    let fresh = Fresh::new(1).await;
    fresh.db.write(|conn| super::insert(conn, 1)).await.expect("a counter");
    let mode = |path: &str| {
        std::fs::metadata(fresh.folder.path().join(path)).map(|metadata| metadata.permissions().mode() & 0o777)
    };
    // On PostgreSQL there is no file.
    if fresh.url.starts_with("sqlite:") {
        assert_eq!(mode("test.db").expect("a file"), 0o600);
        assert_eq!(mode("test.db-wal").expect("a file"), 0o600);
    } else {
        assert!(mode("test.db").is_err());
    }
}
