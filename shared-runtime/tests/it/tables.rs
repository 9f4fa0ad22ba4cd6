//! The runtime's own tables, as every service has them.

use diesel::{RunQueryDsl as _, sql_query};
use shared_model::Error;
use shared_runtime::on_each;
use shared_testing::tables::assert_same_columns;

use crate::jobs;

#[shared_testing::test]
async fn diesel_and_the_database_have_the_same_columns() {
    assert_same_columns(&jobs::stage().await, &[concat!(env!("CARGO_MANIFEST_DIR"), "/src")]).await;
}

#[shared_testing::test]
async fn text_cannot_be_written_into_a_number_column() {
    let stage = jobs::stage().await;
    let insert = "INSERT INTO jobs (kind, key, payload, run_at, attempts, epoch) VALUES ('k', 'k', '', 'soon', 0, 0)";
    let written = stage.context.write(move |conn| Ok(on_each!(conn, |c| sql_query(insert).execute(c))?)).await;
    let Err(Error::Failed(failure)) = written else { panic!("written: {written:?}") };
    assert!(failure.to_string().contains("soon") || format!("{failure:?}").contains("INTEGER"), "{failure:?}");
    assert_eq!(stage.count("jobs"), 0);
}
