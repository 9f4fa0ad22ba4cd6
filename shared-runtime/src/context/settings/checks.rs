//! The rules for each setting. Messages never repeat a value, because some values are secrets.

use std::{
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use shared_model::Secret;
use url::{Host, Url};

use super::Mistakes;
use crate::{
    base::{surface::Surface, tls::TlsSettings},
    identity::settings::{IssuerSettings, JwksSource},
    state::{
        db::Db,
        rate_limit::{LimitClass, RateLimits},
        redis_link::RedisSettings,
    },
};

pub(super) fn socket(
    mistakes: &mut Mistakes,
    setting: &'static str,
    text: Option<&str>,
    port: u16,
) -> Option<SocketAddr> {
    match text {
        None => Some(SocketAddr::from(([127, 0, 0, 1], port))),
        Some(text) => {
            mistakes.check(setting, text.parse().map_err(|_| "must be an address and a port: 127.0.0.1:8080"))
        }
    }
}

/// `None` on a mistake, or without TLS.
pub(super) fn tls(
    mistakes: &mut Mistakes,
    listen: Option<String>,
    certificates: Option<String>,
    key: Option<String>,
) -> Option<TlsSettings> {
    match (listen, certificates, key) {
        (None, None, None) => None,
        (Some(listen), Some(certificates), Some(key)) => {
            let listen = socket(mistakes, "TLS_LISTEN_ADDR", Some(&listen), 0)?;
            Some(TlsSettings { listen, certificates: certificates.into(), key: key.into() })
        }
        _ => {
            mistakes.note("TLS_LISTEN_ADDR", "and TLS_CERTIFICATES and TLS_KEY must be set together or not at all");
            None
        }
    }
}

/// `None` on a mistake, or without Redis.
pub(super) fn redis(
    mistakes: &mut Mistakes,
    url: Option<String>,
    authorities: Option<String>,
    certificates: Option<String>,
    key: Option<String>,
) -> Option<RedisSettings> {
    // Certificates without TLS would be ignored silently, and the operator would believe in an encrypted connection.
    let has_tls = url.as_deref().is_some_and(|url| url.starts_with("rediss://"));
    if (authorities.is_some() || certificates.is_some() || key.is_some()) && !has_tls {
        mistakes.note("REDIS_CA", "REDIS_CERTIFICATES and REDIS_KEY need a REDIS_URL that begins with rediss://");
        return None;
    }
    let client = match (certificates, key) {
        (None, None) => None,
        (Some(certificates), Some(key)) => Some((certificates.into(), key.into())),
        _ => {
            mistakes.note("REDIS_CERTIFICATES", "and REDIS_KEY must be set together or not at all");
            return None;
        }
    };
    let settings = RedisSettings { url: url?, authorities: authorities.map(PathBuf::from), client };
    match settings.client() {
        Ok(_) => Some(settings),
        Err((setting, rule)) => {
            mistakes.note(setting, rule);
            None
        }
    }
}

pub(super) fn base_url(text: &str) -> Result<String, &'static str> {
    const RULE: &str = "must be an https URL (http only on this machine) without query, fragment or user";
    let url = Url::parse(text).map_err(|_| RULE)?;
    // Paths are appended to it, and it is compared with `aud` as text.
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if is_plain && (url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url)) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err(RULE)
    }
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

pub(super) fn database(url: &str) -> Result<(), &'static str> {
    match url.split_once(':') {
        // In memory there would be a database for each connection.
        Some(("sqlite", path)) if !path.trim_start_matches("//").is_empty() && !path.contains(":memory:") => Ok(()),
        Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => Ok(()),
        _ => Err("must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE"),
    }
}

/// Whether the database exists and belongs to this service, or can be created.
pub(super) fn database_place(url: &str, surface: &Surface) -> Result<(), String> {
    Db::check_url(url, surface.name).map_err(|failure| format!("cannot be used: {failure}"))
}

/// `None` on a mistake, or without an issuer.
pub(super) fn issuer(mistakes: &mut Mistakes, issuer: Option<String>, jwks: Option<String>) -> Option<IssuerSettings> {
    match (issuer, jwks) {
        (None, None) => None,
        (Some(issuer), Some(jwks)) => {
            let jwks = match Url::parse(&jwks) {
                Ok(url) if url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url) => {
                    JwksSource::Url(jwks)
                }
                // A mistyped URL must not be taken for the name of a file.
                Ok(_) if jwks.contains("://") => {
                    mistakes.note("JWKS", "must be an https URL (http only on this machine) or a file");
                    return None;
                }
                _ => JwksSource::File(PathBuf::from(jwks)),
            };
            Some(IssuerSettings { issuer, jwks })
        }
        _ => {
            mistakes.note("ISSUER", "and JWKS must be set together or not at all");
            None
        }
    }
}

/// The path of a file or folder next to a SQLite database.
pub(super) fn beside_database(url: &str, what: &str) -> String {
    format!("{}.{what}", url.trim_start_matches("sqlite:").trim_start_matches("//"))
}

pub(super) fn default_database(surface: &Surface) -> String {
    format!("sqlite:{}.db", surface.name)
}

pub(super) fn sqlite_path(url: &str) -> Option<&Path> {
    url.strip_prefix("sqlite:").map(|path| Path::new(path.trim_start_matches("//")))
}

/// The secret in the file next to a SQLite database. Without a database it is created, or `None` where it may not be.
pub(super) fn kept_secret(database_url: &str, may_make: bool) -> Result<Option<Secret>, String> {
    let path = PathBuf::from(beside_database(database_url, "secret"));
    // A database without this file was created with a secret from the settings. A new secret could not decrypt its
    // data.
    if !path.exists() && sqlite_path(database_url).is_some_and(Path::exists) {
        return Err(format!("must be the one that the database was made with: there is no {}", path.display()));
    }
    if !path.exists() && !may_make {
        return Ok(None);
    }
    read_or_make_secret(&path).map(Some)
}

fn read_or_make_secret(path: &Path) -> Result<Secret, String> {
    use std::{
        fs,
        io::{ErrorKind, Write as _},
        os::unix::fs::OpenOptionsExt as _,
    };
    let unusable = |error: std::io::Error| format!("cannot be kept in {}: {error}", path.display());
    // create_new: of two processes that start at the same time, one creates the secret and both read it.
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            file.write_all(hex::encode(rand::random::<[u8; 32]>()).as_bytes())
                .and_then(|()| file.sync_all())
                .map_err(unusable)?;
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unusable(error)),
    }
    let text = fs::read_to_string(path).map_err(unusable)?;
    Secret::from_text(&text).map_err(|rule| format!("in {} {rule}", path.display()))
}

pub(super) fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| "must be an IP address or a network like 10.0.0.0/8")
}

pub(super) fn list(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.unwrap_or_default().split(',').map(str::trim).filter(|text| !text.is_empty())
}

pub(super) fn rate_limits(mistakes: &mut Mistakes, text: Option<&str>, known: &[&LimitClass]) -> RateLimits {
    let mut limits = RateLimits::default();
    for text in list(text) {
        let Some((name, number)) = mistakes.check("RATE_LIMITS", rate_limit(text)) else { continue };
        if !known.iter().any(|class| class.name == name) {
            let names: Vec<_> = known.iter().map(|class| class.name).collect();
            mistakes.note("RATE_LIMITS", format!("must name existing limits: {}", names.join(", ")));
        } else if limits.0.iter().any(|(earlier, _)| *earlier == name) {
            mistakes.note("RATE_LIMITS", "must give each limit once");
        } else {
            limits.0.push((name, number));
        }
    }
    limits
}

pub(super) fn rate_limit(text: &str) -> Result<(String, u32), &'static str> {
    let (name, number) = text.split_once('=').ok_or("must be written as name=number")?;
    match number.parse() {
        Ok(number @ 1..) => Ok((name.to_owned(), number)),
        _ => Err("must give each limit a number from 1"),
    }
}
