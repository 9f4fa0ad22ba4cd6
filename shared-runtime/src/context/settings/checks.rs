//! What each setting must be like. Values are never repeated in a mistake: some of them are secrets.

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

/// `None` on a mistake; `Some(None)` when TLS is not asked for.
pub(super) fn tls(
    mistakes: &mut Mistakes,
    listen: Option<String>,
    certificates: Option<String>,
    key: Option<String>,
) -> Option<Option<TlsSettings>> {
    match (listen, certificates, key) {
        (None, None, None) => Some(None),
        (Some(listen), Some(certificates), Some(key)) => {
            let listen = socket(mistakes, "TLS_LISTEN_ADDR", Some(&listen), 0)?;
            Some(Some(TlsSettings { listen, certificates: certificates.into(), key: key.into() }))
        }
        _ => {
            mistakes.note("TLS_LISTEN_ADDR", "TLS_CERTIFICATES and TLS_KEY must be set together or not at all");
            None
        }
    }
}

/// `None` on a mistake, or when there is to be no Redis.
pub(super) fn redis(
    mistakes: &mut Mistakes,
    url: Option<String>,
    authorities: Option<String>,
    certificates: Option<String>,
    key: Option<String>,
) -> Option<RedisSettings> {
    let has_tls = url.as_deref().is_some_and(|url| url.starts_with("rediss://"));
    if (authorities.is_some() || certificates.is_some() || key.is_some()) && !has_tls {
        mistakes.note("REDIS_CA", "REDIS_CERTIFICATES and REDIS_KEY are for a REDIS_URL that begins with rediss://");
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
    const RULE: &str = "must be an https URL (http only for this very machine) without query, fragment or user";
    let url = Url::parse(text).map_err(|_| RULE)?;
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if is_plain && (url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url)) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err(RULE)
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

pub(super) fn database(url: &str) -> Result<(), &'static str> {
    match url.split_once(':') {
        Some(("sqlite", path)) if !path.trim_start_matches("//").is_empty() && !path.contains(":memory:") => Ok(()),
        Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => Ok(()),
        _ => Err("must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE"),
    }
}

/// Whether there is a database of the service at a well-formed URL, or could be.
pub(super) fn database_place(url: &str, surface: &Surface) -> Result<(), String> {
    Db::check_place(url, surface.name).map_err(|failure| format!("cannot be used: {failure}"))
}

/// `None` on a mistake; `Some(None)` when no issuer is set.
pub(super) fn issuer(
    mistakes: &mut Mistakes,
    issuer: Option<String>,
    jwks: Option<String>,
) -> Option<Option<IssuerSettings>> {
    match (issuer, jwks) {
        (None, None) => Some(None),
        (Some(issuer), Some(jwks)) => {
            let jwks = match Url::parse(&jwks) {
                Ok(url) if url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url) => {
                    JwksSource::Url(jwks)
                }
                Ok(_) if jwks.contains("://") => {
                    mistakes.note("JWKS", "must be an https URL (http only for this very machine) or a file");
                    return None;
                }
                _ => JwksSource::File(PathBuf::from(jwks)),
            };
            Some(Some(IssuerSettings { issuer, jwks }))
        }
        _ => {
            mistakes.note("ISSUER", "and JWKS must be set together or not at all");
            None
        }
    }
}

/// The client id of the sign-in, which is at an issuer whose metadata can be fetched.
pub(super) fn sign_in_client(client_id: &str, issuer: Option<&str>) -> Result<(), &'static str> {
    if client_id.len() > 255 || !client_id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("must be 1 to 255 visible ASCII characters");
    }
    match issuer.map(Url::parse) {
        Some(Ok(url)) if url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url) => Ok(()),
        _ => Err("is for an ISSUER that is an https URL (http only for this very machine)"),
    }
}

/// What is kept beside a SQLite database.
pub(super) fn beside_database(url: &str, what: &str) -> String {
    format!("{}.{what}", url.trim_start_matches("sqlite:").trim_start_matches("//"))
}

pub(super) fn default_database(surface: &Surface) -> String {
    format!("sqlite:{}.db", surface.name)
}

/// The file of a SQLite database.
pub(super) fn sqlite_path(url: &str) -> Option<&Path> {
    url.strip_prefix("sqlite:").map(|path| Path::new(path.trim_start_matches("//")))
}

/// The secret in the file beside a SQLite database; when there is neither it is made, or `None` if it may not be. A database
/// without it was made with a secret that the settings had, and another one would open nothing that was sealed.
pub(super) fn kept_secret(database_url: &str, may_make: bool) -> Result<Option<Secret>, String> {
    let path = PathBuf::from(beside_database(database_url, "secret"));
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

/// An address, or a network with its prefix length.
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
            mistakes.note("RATE_LIMITS", format!("must name limits that there are: {}", names.join(", ")));
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
