//! What columns a database has, said alike for both kinds, so that a test can hold the two schemas against each other.

use diesel::{
    RunQueryDsl as _,
    result::QueryResult,
    sql_types::{Bool, Text},
};

use crate::{on_each, state::db::Conn};

/// One column of one table.
#[derive(Clone, Debug, PartialEq, Eq, diesel::QueryableByName)]
pub struct Column {
    /// The table.
    #[diesel(sql_type = Text)]
    pub table_name: String,
    /// The column.
    #[diesel(sql_type = Text)]
    pub column_name: String,
    /// `integer` (booleans too: a STRICT table of SQLite has no other type for them), `text`, `bytes`, `real`, or the
    /// database's own word for anything else.
    #[diesel(sql_type = Text)]
    pub class: String,
    /// Whether it may be null.
    #[diesel(sql_type = Bool)]
    pub nullable: bool,
}

/// The columns of the service's own tables, by table and place. Virtual tables and their shadows are left out, for only
/// one of the two databases has them, and so are the tables that an extension of PostgreSQL has brought.
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
           CASE c.type WHEN 'BLOB' THEN 'bytes' ELSE lower(c.type) END AS class,
           c.\"notnull\" = 0 AND NOT (c.pk = 1 AND upper(c.type) = 'INTEGER') AS nullable
    FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
      AND t.name <> '__diesel_schema_migrations' AND c.hidden <> 1
    ORDER BY t.name COLLATE BINARY, c.cid";

const POSTGRES: &str = "
    SELECT c.table_name::text AS table_name,
           c.column_name::text AS column_name,
           CASE c.data_type WHEN 'bigint' THEN 'integer' WHEN 'smallint' THEN 'integer' WHEN 'boolean' THEN 'integer'
                            WHEN 'bytea' THEN 'bytes' WHEN 'double precision' THEN 'real' ELSE c.data_type END AS class,
           c.is_nullable = 'YES' AS nullable
    FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND c.table_name <> '__diesel_schema_migrations'
      AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.deptype = 'e' AND d.classid = 'pg_class'::regclass
                        AND d.objid = to_regclass(quote_ident(c.table_schema) || '.' || quote_ident(c.table_name)))
    ORDER BY c.table_name COLLATE \"C\", c.ordinal_position";
