//! Databases of the services: a SQLite file each, or a schema each in one PostgreSQL database.

use std::collections::BTreeMap;

use diesel::{Connection as _, PgConnection, connection::SimpleConnection as _};
use url::Url;

use crate::{
    data_folder::DataFolder,
    error::{StackError, cannot},
    service_name::ServiceName,
};

/// The database URL of each service. On PostgreSQL, creates missing schemas.
pub fn prepare(folder: &DataFolder, postgres: Option<&Url>) -> Result<BTreeMap<ServiceName, String>, StackError> {
    let Some(server) = postgres else {
        let file =
            |service: ServiceName| format!("sqlite:{}", folder.path(service.as_str()).with_extension("db").display());
        return Ok(ServiceName::ALL.map(|service| (service, file(service))).into());
    };
    // Outside of the services, which use their schemas but must not create them.
    let mut server_connection =
        PgConnection::establish(server.as_str()).map_err(cannot("connect to the database of --postgres"))?;
    for service in ServiceName::ALL {
        let statement = format!("CREATE SCHEMA IF NOT EXISTS {}", schema(service));
        server_connection.batch_execute(&statement).map_err(cannot(format!("make the schema {}", schema(service))))?;
    }
    Ok(ServiceName::ALL.map(|service| (service, within(server, &schema(service)))).into())
}

fn schema(service: ServiceName) -> String {
    format!("fourfold_{}", service.as_str())
}

/// The URL with its search path fixed to one schema, for every connection.
fn within(server: &Url, schema: &str) -> String {
    let mut url = server.clone();
    let mut options = format!("-csearch_path={schema}");
    let mut others = Vec::new();
    for (name, value) in server.query_pairs() {
        // Keeps options that the caller gave; the search path comes last, so it wins.
        if name == "options" {
            options = format!("{value} {options}");
        } else {
            others.push((name.into_owned(), value.into_owned()));
        }
    }
    url.query_pairs_mut().clear().extend_pairs(others).append_pair("options", &options);
    // libpq decodes %20 as a blank, but not +.
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
