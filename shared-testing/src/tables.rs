//! Compares diesel's tables with the columns of a migrated database.

use std::{collections::BTreeSet, fs, path::Path};

use diesel::{RunQueryDsl as _, sql_types::BigInt};
use shared_runtime::{Conn, state::db::schema::introspection::columns};

use crate::stage::Stage;

/// `table!`s without a table of ours: diesel's own, and SQLite's full-text index, which has no columns for PostgreSQL.
const SKIPPED: [&str; 2] = ["__diesel_schema_migrations", "file_names"];

/// Asserts that the database and the `table!`s in these source folders have the same tables, columns, nullability and types.
pub async fn assert_same_columns(stage: &Stage, sources: &[&str]) {
    let (is_sqlite, found, loose) = stage
        .context
        .read(|conn| Ok((matches!(conn, Conn::Sqlite(_)), columns(conn)?, tables_that_are_not_strict(conn))))
        .await
        .expect("the columns");
    let found: BTreeSet<String> = found
        .into_iter()
        .map(|column| line(&column.table_name, &column.column_name, &column.type_name, column.nullable))
        .collect();
    let mut declared = BTreeSet::new();
    for folder in sources {
        collect(Path::new(folder), is_sqlite, &mut declared);
    }
    let (unknown, missing): (Vec<_>, Vec<_>) =
        (found.difference(&declared).collect(), declared.difference(&found).collect());
    assert!(
        unknown.is_empty() && missing.is_empty(),
        "only in the database: {unknown:#?}, only in diesel: {missing:#?}"
    );
    assert_eq!(loose, 0, "tables of SQLite that are not STRICT");
}

fn line(table: &str, column: &str, type_name: &str, nullable: bool) -> String {
    format!("{table}.{column}: {type_name}{}", if nullable { ", nullable" } else { "" })
}

/// Reads every `table!` below the folder, as rustfmt lays it out.
fn collect(folder: &Path, is_sqlite: bool, declared: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a source folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Tests may declare tables of their own.
            if !path.ends_with("tests") {
                collect(&path, is_sqlite, declared);
            }
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source file");
        for table in text.split("diesel::table! {\n").skip(1) {
            let table = table.split_once("\n}").expect("the end of the macro").0;
            let mut lines = table.lines().map(str::trim).filter(|line| !line.starts_with("///"));
            let (name, _) = lines.next().and_then(|line| line.split_once(" (")).expect("a table");
            if SKIPPED.contains(&name) {
                continue;
            }
            let mut renamed = None;
            for text in lines {
                if let Some(name) = text.strip_prefix("#[sql_name = \"") {
                    renamed = name.strip_suffix("\"]");
                } else if let Some((column, kind)) = text.split_once(" -> ") {
                    let kind = kind.trim_end_matches(',');
                    let nullable = kind.strip_prefix("Nullable<").and_then(|kind| kind.strip_suffix('>'));
                    let type_name = type_name(nullable.unwrap_or(kind), is_sqlite);
                    declared.insert(line(name, renamed.take().unwrap_or(column), type_name, nullable.is_some()));
                }
            }
        }
    }
}

fn type_name(diesel: &str, is_sqlite: bool) -> &'static str {
    match (diesel, is_sqlite) {
        ("BigInt", false) => "bigint",
        ("Integer", false) => "integer",
        ("Bool", false) => "boolean",
        ("Text", false) => "text",
        ("Binary", false) => "bytea",
        ("BigInt" | "Integer" | "Bool", true) => "INTEGER",
        ("Text", true) => "TEXT",
        ("Binary", true) => "BLOB",
        _ => panic!("{diesel}: add its column types here"),
    }
}

/// A column of a STRICT table holds values of its type only, as on PostgreSQL.
fn tables_that_are_not_strict(conn: &mut Conn) -> i64 {
    #[derive(diesel::QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let Conn::Sqlite(conn) = conn else { return 0 };
    let sql = "SELECT count(*) AS count FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict \
               AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> '__diesel_schema_migrations'";
    let Count { count } = diesel::sql_query(sql).get_result(conn).expect("a number");
    count
}
