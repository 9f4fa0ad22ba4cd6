//! Values that are stored as JSON in a text column, because they are read and written as a whole.

use std::{
    fmt::Debug,
    ops::{Deref, DerefMut},
};

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    pg::Pg,
    serialize::{self, IsNull, Output, ToSql},
    sql_types::Text,
    sqlite::Sqlite,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::openapi::{RefOr, Schema};

use crate::{json_reader::JsonReader, rule::Rule};

/// In a text column it is JSON text; in JSON it is the value itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, AsExpression, FromSqlRow)]
#[serde(transparent)]
#[diesel(sql_type = Text)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Serialize + Debug> ToSql<Text, Pg> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

// Not generic over both databases: SQLite needs text that it owns.
impl<T: Serialize + Debug> ToSql<Text, Sqlite> for Json<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(serde_json::to_string(&self.0)?);
        Ok(IsNull::No)
    }
}

impl<T: DeserializeOwned, DB: Backend> FromSql<Text, DB> for Json<T>
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_str(&String::from_sql(bytes)?)?))
    }
}

impl<R: Rule> Rule for Json<R> {
    type Value = Json<R::Value>;

    fn read(reader: &JsonReader<'_>) -> Option<Self::Value> {
        R::read(reader).map(Json)
    }

    fn schema() -> RefOr<Schema> {
        R::schema()
    }

    fn add_components(components: &mut Vec<(String, RefOr<Schema>)>) {
        R::add_components(components);
    }
}
