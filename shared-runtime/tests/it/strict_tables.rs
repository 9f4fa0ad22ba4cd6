//! SQLite tables are STRICT: a column holds values of its type only, as on PostgreSQL.

use std::{fs, path::Path};

use diesel::{RunQueryDsl as _, sql_query};
use shared_model::Error;
use shared_runtime::on_each;

use crate::jobs;

#[test]
fn every_table_of_every_service_is_strict() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace's root");
    let mut tables = 0;
    for package in fs::read_dir(workspace).expect("the workspace") {
        let Ok(sets) = fs::read_dir(package.expect("a folder").path().join("migrations/sqlite")) else { continue };
        for set in sets {
            let path = set.expect("a migration").path().join("up.sql");
            let text = fs::read_to_string(&path).expect("a migration has an up.sql");
            for table in text.split("CREATE TABLE ").skip(1) {
                let end = table.split_once("\n)").expect("a table ends in a line of its own").1;
                assert!(end.starts_with(" STRICT;"), "{}: {table}", path.display());
                tables += 1;
            }
        }
    }
    assert!(tables > 20, "the migrations were not found");
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
