//! Whose database it is: recorded once, and compared before anything is changed.

use std::os::unix::fs::PermissionsExt as _;

use diesel::{Connection as _, SqliteConnection, connection::SimpleConnection as _};
use shared_model::{Failure, Secret};

use super::{fresh::Fresh, identity, insert};
use crate::state::db::{DatabaseIdentity, Db, Migrations, schema::migration::has_table};

const SECRET: Secret = Secret::from_bytes([7; 32]);
const OTHER_SECRET: Secret = Secret::from_bytes([8; 32]);

fn named(surface: &'static str, secret: &Secret) -> DatabaseIdentity {
    DatabaseIdentity::new(surface, secret, Migrations::NONE)
}

/// Opens the database as a service that starts does.
async fn migrated(fresh: &Fresh, identity: DatabaseIdentity) -> Result<Vec<String>, Failure> {
    let db = Db::open(&fresh.url, 1, identity).await?;
    let migrated = db.migrate().await;
    db.close().await;
    migrated
}

/// The sentence that both a start and `migrate --check` refuse it with.
async fn refusal(fresh: &Fresh, identity: DatabaseIdentity) -> String {
    let sentence = migrated(fresh, identity.clone()).await.expect_err("refused").to_string();
    let check = match Db::open(&fresh.url, 1, identity).await {
        Ok(db) => db.pending_migrations().await,
        Err(failure) => Err(failure),
    };
    assert_eq!(check.expect_err("refused").to_string(), sentence);
    sentence
}

#[tokio::test]
async fn a_database_knows_its_service_and_its_secret() {
    let fresh = Fresh::new(1).await;
    assert_eq!(fresh.number("SELECT count(*) AS number FROM database_identity"), 1);
    migrated(&fresh, identity()).await.expect("its own");
    let sentence = refusal(&fresh, named("cloud", &SECRET)).await;
    assert!(sentence.contains("belongs to the test service") && sentence.contains("DATABASE_URL"), "{sentence}");
    let sentence = refusal(&fresh, named("test", &OTHER_SECRET)).await;
    assert!(sentence.starts_with("SERVICE_SECRET is not the one") && sentence.contains("--new-secret"), "{sentence}");
    assert!(!sentence.contains("08080808") && !sentence.contains('\n'), "{sentence}");
}

#[tokio::test]
async fn an_operator_changes_the_secret_and_the_old_one_is_refused() {
    let fresh = Fresh::new(1).await;
    migrated(&fresh, named("test", &OTHER_SECRET).taking_secret()).await.expect("taken");
    migrated(&fresh, named("test", &OTHER_SECRET)).await.expect("its own");
    refusal(&fresh, identity()).await;
    refusal(&fresh, named("cloud", &SECRET).taking_secret()).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn on_postgresql_the_secret_changes_only_without_sessions_and_a_later_one_under_the_old_secret_is_refused() {
    let fresh = Fresh::on_postgresql(1).await;
    let change = || migrated(&fresh, named("test", &OTHER_SECRET).taking_secret());
    // One side alone is enough.
    fresh.db.write(|conn| insert(conn, 1)).await.expect("a session");
    let refused = change().await.expect_err("it is served").to_string();
    assert!(refused.contains(" is in use by a process of the test service: stop all of them first"), "{refused}");
    migrated(&fresh, identity()).await.expect("nothing was changed");

    fresh.break_connections();
    change().await.expect("nobody has a session");
    fresh.db.write(|conn| insert(conn, 2)).await.expect_err("it would be under the old secret");
    let unready = fresh.db.ping().await.expect_err("not ready").to_string();
    assert!(unready.contains("SERVICE_SECRET is not the one"), "{unready}");
    assert_eq!(fresh.number("SELECT count(*) AS number FROM counters"), 1);
}

#[tokio::test]
async fn a_database_that_is_not_empty_and_has_no_owner_is_refused() {
    let drop_tables =
        "DROP TABLE grants; DROP TABLE revocations; DROP TABLE idempotency; DROP TABLE jobs; DROP TABLE counters";
    for damage in ["DELETE FROM __diesel_schema_migrations", drop_tables] {
        let fresh = Fresh::new(1).await;
        fresh.direct(|conn| conn.batch_execute(&format!("DROP TABLE database_identity; {damage}")).expect("damaged"));
        let sentence = refusal(&fresh, identity()).await;
        assert!(sentence.contains("has tables that the test service did not make"), "{damage}: {sentence}");
        fresh.direct(|conn| assert!(!has_table(conn, "database_identity").expect("an answer"), "{damage}"));
    }
}

#[tokio::test]
async fn a_file_of_another_program_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letters.db");
    let mut conn = SqliteConnection::establish(path.to_str().expect("UTF-8")).expect("a file");
    conn.batch_execute("CREATE TABLE letters (id INTEGER PRIMARY KEY)").expect("a table");
    drop(conn);
    let before = std::fs::read(&path).expect("the file");
    let Err(refused) = Db::open(&format!("sqlite:{}", path.display()), 1, identity()).await else { panic!("opened") };
    assert!(refused.to_string().contains("has tables that the test service did not make"), "{refused}");
    assert_eq!(std::fs::read(&path).expect("the file"), before);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn on_postgresql_the_schema_of_the_search_path_counts_and_no_other() {
    let fresh = Fresh::on_postgresql(1).await;
    fresh.direct(|conn| {
        conn.batch_execute("CREATE SCHEMA other; CREATE SCHEMA full_of; CREATE TABLE full_of.it (id INT)")
            .expect("schemas")
    });
    let within = |path: &str| format!("{}?options=-csearch_path%3D{path}", fresh.url);
    let opened = |url: String, identity| async move {
        Db::open(&url, 1, identity).await.expect("nothing is asked yet").migrate().await
    };
    // `public` belongs to the service "test"; it is on the path, but new tables do not go there.
    opened(within("other,public"), named("cloud", &SECRET)).await.expect("a schema of its own");
    let refused = opened(within("other,public"), identity()).await.expect_err("cloud's").to_string();
    assert!(refused.starts_with("the schema other of the PostgreSQL database runtime_"), "{refused}");
    opened(within("public,other"), identity()).await.expect("its own");
    opened(within("full_of"), identity()).await.expect_err("another program's");
    fresh.direct(|conn| conn.batch_execute("ALTER EXTENSION plpgsql ADD TABLE full_of.it").expect("an extension's"));
    opened(within("full_of"), identity()).await.expect("what an extension brings is nobody's mistake");
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn on_postgresql_a_role_that_may_only_read_can_check() {
    let fresh = Fresh::on_postgresql(1).await;
    let role = format!("reader_{:032x}", rand::random::<u128>());
    let sql = format!("CREATE ROLE {role} LOGIN PASSWORD 'x'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}");
    fresh.direct(|conn| conn.batch_execute(&sql).expect("a role"));
    let mut url = url::Url::parse(&fresh.url).expect("a URL");
    url.set_username(&role).expect("a name");
    url.set_password(Some("x")).expect("a password");
    let as_reader = |identity| {
        let url = url.to_string();
        async move { Db::open(&url, 1, identity).await.expect("nothing is asked yet").pending_migrations().await }
    };
    assert!(as_reader(identity()).await.expect("it may look").is_empty());
    as_reader(named("cloud", &SECRET)).await.expect_err("not cloud's");
    fresh.direct(|conn| conn.batch_execute("DELETE FROM __diesel_schema_migrations").expect("forgotten"));
    let all = ["2026-11-24-000000_runtime", "2026-11-25-000000_ended_sessions"];
    assert_eq!(as_reader(identity()).await.expect("it may look"), all);
    fresh.direct(|conn| conn.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).expect("it goes"));
}

#[tokio::test]
async fn one_process_serves_a_file_until_it_closes_it() {
    let fresh = Fresh::new(1).await;
    fresh.db.lock_for_serving().expect("nobody serves it");
    let second = Db::open(&fresh.url, 1, identity()).await.expect("commands may open it");
    if fresh.url.starts_with("sqlite:") {
        let refused = second.lock_for_serving().expect_err("it is served").to_string();
        assert!(refused.contains(&format!("is served by the process {} already", std::process::id())), "{refused}");
        let lock = std::fs::metadata(fresh.folder.path().join("test.db.lock")).expect("a lock file");
        assert_eq!(lock.permissions().mode() & 0o777, 0o600);
    }
    fresh.db.close().await;
    second.lock_for_serving().expect("nobody serves it any more");
}

#[tokio::test]
async fn a_file_that_is_renamed_replaced_or_deleted_makes_the_database_unready_for_good() {
    let fresh = Fresh::on_sqlite(1).await;
    fresh.db.ping().await.expect("ready");
    let path = |name: &str| fresh.folder.path().join(name);
    std::fs::rename(path("test.db"), path("moved.db")).expect("renamed");
    let failure = fresh.db.ping().await.expect_err("not ready").to_string();
    assert!(failure.contains("is not the one that is open"), "{failure}");
    std::fs::rename(path("moved.db"), path("test.db")).expect("renamed");
    fresh.db.ping().await.expect_err("some connection may have seen another file");

    let copied = Fresh::on_sqlite(1).await;
    let path = |name: &str| copied.folder.path().join(name);
    std::fs::copy(path("test.db"), path("copy.db")).expect("copied");
    std::fs::rename(path("copy.db"), path("test.db")).expect("replaced");
    copied.db.ping().await.expect_err("another file");

    let deleted = Fresh::on_sqlite(1).await;
    std::fs::remove_file(deleted.folder.path().join("test.db")).expect("deleted");
    deleted.db.ping().await.expect_err("no file");
}

#[tokio::test]
async fn processes_that_start_at_the_same_time_on_a_new_database_all_find_it_their_own() {
    for _ in 0..5 {
        let fresh = Fresh::empty(1).await;
        let started = futures_util::future::join_all((0..8).map(|_| migrated(&fresh, identity()))).await;
        started.into_iter().for_each(|started| assert!(started.is_ok(), "{started:?}"));
    }
}
