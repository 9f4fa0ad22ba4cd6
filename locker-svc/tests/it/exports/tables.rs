//! The database itself refuses to change what has been built.

use diesel::RunQueryDsl as _;
use shared_model::Error;
use shared_testing::Stage;

use super::{export, stage};

async fn refused(stage: &Stage, statement: String) {
    stage.expects_failures();
    let outcome = stage
        .context
        .write(move |conn| {
            diesel::sql_query(&statement).execute(conn)?;
            Ok(())
        })
        .await;
    assert!(matches!(outcome, Err(Error::Failed(_))), "{outcome:?}");
}

#[shared_testing::test]
async fn parts_of_a_ready_export_cannot_be_changed_deleted_or_added() {
    let stage = stage().await;
    let export = export(&stage, 1, b"package", 4).await;
    let id = export.id;
    for statement in [
        format!("UPDATE export_parts SET bytes = 9 WHERE export_id = '{id}'"),
        format!("DELETE FROM export_parts WHERE export_id = '{id}'"),
        format!("INSERT INTO export_parts VALUES ('{id}', 7, 1, '{}', 'key')", "0".repeat(64)),
        format!("UPDATE exports SET state = 'building' WHERE id = '{id}'"),
        format!("UPDATE exports SET sha256 = '{}' WHERE id = '{id}'", "0".repeat(64)),
        format!("UPDATE exports SET manifest = '{{}}' WHERE id = '{id}'"),
        format!("UPDATE exports SET state = 'gone' WHERE id = '{id}'"),
    ] {
        refused(&stage, statement).await;
    }
}
