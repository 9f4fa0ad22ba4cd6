//! Where the database is: the URL's scheme decides the kind, and nothing else does.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use shared_model::Failure;

use super::{conn::Conn, postgres, side::Side, sqlite, sqlite_file};

/// A database's address, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A file.
    Sqlite(PathBuf),
    /// A server, by libpq's URL.
    Postgres(String),
}

impl fmt::Display for Address {
    /// Kind and place, without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "SQLite {}", path.display()),
            Self::Postgres(url) => {
                let place = url.split_once("://").map_or("", |(_, place)| place);
                let place = place.split_once('?').map_or(place, |(place, _)| place);
                write!(f, "PostgreSQL {}", place.rsplit_once('@').map_or(place, |(_, place)| place))
            }
        }
    }
}

impl Address {
    /// Reads `sqlite:PATH`, `postgres://…` or `postgresql://…`. No password is in the reason.
    pub(super) fn parse(url: &str) -> Result<Self, Failure> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() || path.starts_with(':') || path.starts_with("file:") {
                return Err(Failure::fault("the database URL sqlite:PATH must name a file"));
            }
            return std::path::absolute(Path::new(path))
                .map(Self::Sqlite)
                .map_err(|error| Failure::fault("the path of the SQLite database").from_source(error));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Self::Postgres(DEFAULTS.iter().fold(url.to_owned(), with_default)));
        }
        Err(Failure::fault("the database URL must be sqlite:PATH, postgres://… or postgresql://…"))
    }

    /// Opens a connection that changes nothing; `None` where a SQLite file can be made and is not there yet.
    pub(super) fn look(&self) -> Result<Option<Conn>, Failure> {
        match self {
            Self::Sqlite(path) => sqlite_file::look(path),
            Self::Postgres(url) => postgres::connect(url, Side::Look).map(Some),
        }
    }

    /// Opens a connection.
    pub(super) fn connect(&self, side: Side) -> Result<Conn, Failure> {
        match self {
            Self::Sqlite(path) => sqlite::connect(path, side),
            Self::Postgres(url) => postgres::connect(url, side),
        }
    }
}

/// A server that is gone is noticed within seconds, whether it refuses or is silent.
const DEFAULTS: [(&str, &str); 5] = [
    ("connect_timeout", "2"),
    ("tcp_user_timeout", "5000"),
    ("keepalives_idle", "5"),
    ("keepalives_interval", "2"),
    ("keepalives_count", "3"),
];

/// The URL with a parameter, unless it says another.
fn with_default(url: String, (name, value): &(&str, &str)) -> String {
    let parameters = url.split_once('?').map(|(_, parameters)| parameters);
    let said = parameters.is_some_and(|parameters| {
        parameters.split('&').any(|pair| pair.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    });
    match parameters {
        _ if said => url,
        None => format!("{url}?{name}={value}"),
        Some("") => format!("{url}{name}={value}"),
        Some(_) => format!("{url}&{name}={value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_decides_the_kind() {
        assert_eq!(Address::parse("sqlite:/a/b.db").expect("a file"), Address::Sqlite("/a/b.db".into()));
        assert_eq!(Address::parse("sqlite:///a/b.db").expect("a file"), Address::Sqlite("/a/b.db".into()));
        assert!(matches!(Address::parse("postgres://u:p@h/d"), Ok(Address::Postgres(_))));
        assert!(matches!(Address::parse("postgresql://u:p@h1,h2/d"), Ok(Address::Postgres(_))));
    }

    #[test]
    fn anything_else_is_refused_without_showing_the_url() {
        for url in ["", "sqlite:", "sqlite::memory:", "sqlite:file:x?mode=memory", "mysql://u:secret@h/d", "/a/b.db"] {
            let failure = Address::parse(url).expect_err("refused");
            assert!(!failure.to_string().contains("secret"), "{failure}");
        }
    }

    #[test]
    fn shown_it_has_neither_user_nor_password() {
        for (url, shown) in [
            ("postgres://u:p@ss@h:5432/d?password=secret", "PostgreSQL h:5432/d"),
            ("postgresql://h1,h2/d", "PostgreSQL h1,h2/d"),
            ("postgres:///d?host=/run&user=u", "PostgreSQL /d"),
            ("sqlite:///a/b.db", "SQLite /a/b.db"),
        ] {
            assert_eq!(Address::parse(url).expect("an address").to_string(), shown);
        }
    }

    #[test]
    fn what_the_url_says_is_not_overridden() {
        let Ok(Address::Postgres(url)) = Address::parse("postgres://h/d?connect_timeout=9&sslmode=disable") else {
            panic!("a server");
        };
        assert!(url.starts_with("postgres://h/d?connect_timeout=9&sslmode=disable&tcp_user_timeout=5000"), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
    }
}
