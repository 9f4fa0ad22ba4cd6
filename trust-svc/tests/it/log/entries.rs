//! The log stores bodies in canonical form and never changes them.

use diesel::{connection::SimpleConnection as _, dsl::sql, prelude::*, sql_types::Bool};
use shared_model::{Error, Failure};
use shared_runtime::Conn;
use shared_testing::{Stage, servers};
use trust_log::canonical;
use trust_svc::tables::log_entries;

use crate::test_signer::{TestSigner, listed};

#[shared_testing::test]
async fn a_leaf_is_the_canonical_body() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, r#"press-"1"\"#).await;
    let event = listed(1, stage.now());
    let index = signer.publish(&event).await.status(200)["data"]["log"]["index"].as_i64().expect("an index");
    let leaf: Vec<u8> = stage
        .context
        .read(move |conn| Ok(log_entries::table.find(index).select(log_entries::leaf).first(conn)?))
        .await
        .expect("the leaf");
    assert_eq!(String::from_utf8(leaf).expect("text"), canonical::value_text(&signer.sign(&event)));
}

#[shared_testing::test]
async fn entries_are_neither_changed_nor_deleted() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    signer.publish(&listed(1, stage.now())).await.status(200);
    let insert = "INSERT INTO subtree_roots SELECT 1, 0, leaf_hash FROM log_entries WHERE log_index = 0";
    let inserted = stage.context.write(move |conn| Ok(diesel::sql_query(insert).execute(conn)?)).await;
    assert_eq!(inserted.expect("a row"), 1);
    let mut statements = Vec::new();
    for (table, column) in [("log_entries", "leaf"), ("subtree_roots", "hash"), ("events", "revision")] {
        statements.push(format!("UPDATE {table} SET {column} = {column}"));
        statements.push(format!("DELETE FROM {table}"));
        if stage.context.settings.database_url.starts_with("postgres") {
            statements.push(format!("TRUNCATE {table} CASCADE"));
        }
    }
    for statement in statements {
        let refused = statement.clone();
        let done = stage.context.write(move |conn| Ok(diesel::sql_query(&statement).execute(conn)?)).await;
        let error = done.expect_err("refused").to_string();
        assert!(error.contains("the log is append-only"), "{refused}: {error}");
    }
}

/// With all privileges granted by default, as a schema may do. SQLite has no roles: there only the triggers refuse.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn a_role_that_is_not_the_owner_may_only_append() {
    const MIGRATION: &str = include_str!("../../../migrations/2026-11-24-000001_trust/postgres.sql");
    servers::needed();
    let stage = Stage::of(trust_svc::service()).await;
    let revoke = &MIGRATION[MIGRATION.find("DO $$").expect("the block that revokes privileges")..];
    let (_, database) = stage.context.settings.database_url.rsplit_once('/').expect("a database has a name");
    let role = format!("{database}_app");
    let attempt = move |conn: &mut Conn| -> Result<(), Error> {
        let Conn::Postgres(conn) = conn else { panic!("it is PostgreSQL") };
        conn.batch_execute(&format!("CREATE ROLE {role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}, PUBLIC"))
            .and_then(|()| conn.batch_execute(revoke))
            .expect("the privileges are set");
        for table in ["log_entries", "subtree_roots", "events", "submitted_checkpoints", "cosignatures"] {
            for (privilege, expected) in [("SELECT", true), ("INSERT", true), ("UPDATE", false), ("DELETE", false)] {
                let granted = sql::<Bool>(&format!("has_table_privilege('{role}', '{table}', '{privilege}')"));
                let granted: bool = diesel::select(granted).get_result(conn).expect("an answer");
                assert_eq!(granted, expected, "{privilege} {table}");
            }
        }
        // The whole transaction fails, so nothing of it stays.
        conn.batch_execute(&format!("SET LOCAL ROLE {role}; UPDATE log_entries SET leaf = leaf"))
            .map_err(Failure::from)?;
        Ok(())
    };
    let error = stage.context.write(attempt).await.expect_err("refused").to_string();
    assert!(error.contains("permission denied for table log_entries"), "{error}");
}

#[shared_testing::test]
async fn an_entry_that_is_too_long_for_a_bundle_is_refused() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut event = listed(1, stage.now());
    // 17 bytes in canonical form for five in the body.
    event["data"]["large"] = vec![serde_json::json!(1e15); 4000].into();
    let body = signer.sign(&event).to_string().replace("1000000000000000.0", "1e15");
    assert!(body.len() < 65_536, "{}", body.len());
    let response = stage.anyone().post(crate::test_signer::PUBLISH).body("application/json", body).await;
    let response = response.refused(413, "body_too_large");
    response.problems_at(&[""]);
}
