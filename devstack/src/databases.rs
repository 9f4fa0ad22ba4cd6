//! Where each service keeps its data: a SQLite file of its own, or a schema of its own on one PostgreSQL.

use std::collections::BTreeMap;

use diesel::{Connection as _, PgConnection, connection::SimpleConnection as _};
use url::Url;

use crate::{
    error::{StackError, cannot},
    home::Home,
    surfaces::SurfaceName,
};

/// The database URL of each service; on PostgreSQL the schemas are made where they are missing.
pub fn prepare(home: &Home, postgres: Option<&Url>) -> Result<BTreeMap<SurfaceName, String>, StackError> {
    let Some(server) = postgres else {
        let file =
            |surface: SurfaceName| format!("sqlite:{}", home.path(surface.as_str()).with_extension("db").display());
        return Ok(SurfaceName::ALL.map(|surface| (surface, file(surface))).into());
    };
    let mut server_connection =
        PgConnection::establish(server.as_str()).map_err(cannot("connect to the database of --postgres"))?;
    for surface in SurfaceName::ALL {
        let statement = format!("CREATE SCHEMA IF NOT EXISTS {}", schema(surface));
        server_connection.batch_execute(&statement).map_err(cannot(format!("make the schema {}", schema(surface))))?;
    }
    Ok(SurfaceName::ALL.map(|surface| (surface, within(server, &schema(surface)))).into())
}

fn schema(surface: SurfaceName) -> String {
    format!("fourfold_{}", surface.as_str())
}

/// The same URL with the search path pinned to one schema, for every connection that is made with it.
fn within(server: &Url, schema: &str) -> String {
    let mut url = server.clone();
    let mut options = format!("-csearch_path={schema}");
    let mut others = Vec::new();
    for (name, value) in server.query_pairs() {
        if name == "options" {
            options = format!("{value} {options}");
        } else {
            others.push((name.into_owned(), value.into_owned()));
        }
    }
    url.query_pairs_mut().clear().extend_pairs(others).append_pair("options", &options);
    // libpq knows %20 but not +.
    let query = url.query().unwrap_or_default().replace('+', "%20");
    url.set_query(Some(&query));
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_path_joins_the_options_that_are_there() {
        let within = |url: &str| within(&url.parse().expect("a URL"), "fourfold_cloud");
        assert_eq!(within("postgres://u:p@h:1/db"), "postgres://u:p@h:1/db?options=-csearch_path%3Dfourfold_cloud");
        assert_eq!(
            within("postgres://u@h/db?sslmode=disable&options=-cjit%3Doff"),
            "postgres://u@h/db?sslmode=disable&options=-cjit%3Doff%20-csearch_path%3Dfourfold_cloud"
        );
    }
}
