//! Reads the columns of a database, in the same form on SQLite and on PostgreSQL.

use diesel::{
    RunQueryDsl as _,
    result::QueryResult,
    sql_types::{Bool, Text},
};

use crate::{on_each, state::db::Conn};

#[derive(Clone, Debug, PartialEq, Eq, diesel::QueryableByName)]
pub struct Column {
    #[diesel(sql_type = Text)]
    pub table_name: String,
    #[diesel(sql_type = Text)]
    pub column_name: String,
    /// In the database's own words: `bigint` on PostgreSQL, `INTEGER` on SQLite.
    #[diesel(sql_type = Text)]
    pub type_name: String,
    #[diesel(sql_type = Bool)]
    pub nullable: bool,
}

/// The columns of ordinary tables, by table and position. Leaves out diesel's own table, virtual tables of SQLite with their
/// shadow tables, and tables that an extension of PostgreSQL made.
pub fn columns(conn: &mut Conn) -> QueryResult<Vec<Column>> {
    let sql = match conn {
        Conn::Sqlite(_) => SQLITE,
        Conn::Postgres(_) => POSTGRES,
    };
    on_each!(conn, |c| diesel::sql_query(sql).load(c))
}

const SQLITE: &str = "
    SELECT t.name AS table_name,
           c.name AS column_name,
           c.type AS type_name,
           c.\"notnull\" = 0 AND NOT (c.pk = 1 AND upper(c.type) = 'INTEGER') AS nullable
    FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
      AND t.name <> '__diesel_schema_migrations' AND c.hidden <> 1
    ORDER BY t.name COLLATE BINARY, c.cid";

const POSTGRES: &str = "
    SELECT c.table_name::text AS table_name,
           c.column_name::text AS column_name,
           c.data_type AS type_name,
           c.is_nullable = 'YES' AS nullable
    FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND c.table_name <> '__diesel_schema_migrations'
      AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.deptype = 'e' AND d.classid = 'pg_class'::regclass
                        AND d.objid = to_regclass(quote_ident(c.table_schema) || '.' || quote_ident(c.table_name)))
    ORDER BY c.table_name COLLATE \"C\", c.ordinal_position";
