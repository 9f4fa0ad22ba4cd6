//! Where the database is. The scheme of the URL alone decides between SQLite and PostgreSQL.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use shared_model::Failure;

use super::{conn::Conn, connection_mode::ConnectionMode, postgres, sqlite, sqlite_file};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Sqlite(PathBuf),
    Postgres(String),
}

impl fmt::Display for Address {
    // It is logged, so user and password stay out.
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
    /// Reads `sqlite:PATH`, `postgres://…` or `postgresql://…`. The error never quotes the URL, which may hold a
    /// password.
    pub fn parse(url: &str) -> Result<Self, Failure> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            // Both `sqlite:/a` and `sqlite:///a` name the file /a.
            let path = path.strip_prefix("//").unwrap_or(path);
            // SQLite would open a database in memory or in a temporary file: all data would be lost at the next
            // start.
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

    /// Opens a connection that cannot write; `None` when a SQLite file does not exist yet.
    pub fn inspect(&self) -> Result<Option<Conn>, Failure> {
        match self {
            Self::Sqlite(path) => sqlite_file::inspect(path),
            Self::Postgres(url) => postgres::connect(url, ConnectionMode::Inspect).map(Some),
        }
    }

    pub fn connect(&self, mode: ConnectionMode) -> Result<Conn, Failure> {
        match self {
            Self::Sqlite(path) => sqlite::connect(path, mode),
            Self::Postgres(url) => postgres::connect(url, mode),
        }
    }
}

// libpq has no limits of its own. With these a server that refuses or is silent is noticed within seconds.
const DEFAULTS: [(&str, &str); 5] = [
    ("connect_timeout", "2"),
    ("tcp_user_timeout", "5000"),
    ("keepalives_idle", "5"),
    ("keepalives_interval", "2"),
    ("keepalives_count", "3"),
];

fn with_default(url: String, (name, value): &(&str, &str)) -> String {
    let parameters = url.split_once('?').map(|(_, parameters)| parameters);
    let is_set = parameters.is_some_and(|parameters| {
        parameters.split('&').any(|pair| pair.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    });
    match parameters {
        _ if is_set => url,
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
    fn display_shows_neither_user_nor_password() {
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
    fn parameters_of_the_url_are_not_overridden() {
        let Ok(Address::Postgres(url)) = Address::parse("postgres://h/d?connect_timeout=9&sslmode=disable") else {
            panic!("a server");
        };
        assert!(url.starts_with("postgres://h/d?connect_timeout=9&sslmode=disable&tcp_user_timeout=5000"), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
    }
}
