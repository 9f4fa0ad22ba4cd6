//! The rules for each setting. Messages never repeat a value, because some values are secrets.

use std::{
    fs,
    io::{self, ErrorKind, Write as _},
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use shared_model::{Secret, failure::Kind};
use url::{Host, Url};

use super::Mistakes;
use crate::{
    base::{
        atomic_file::AtomicFile,
        surface::Surface,
        tls::{ServerCertificate, TlsSettings},
    },
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

/// Notes the listeners that cannot both be opened.
pub(super) fn different_addresses(mistakes: &mut Mistakes, listeners: &[(&str, Option<SocketAddr>)]) {
    // An unspecified IPv6 address takes IPv4 as well, and not the other way around.
    let covers = |a: SocketAddr, b: SocketAddr| a.ip().is_unspecified() && (a.is_ipv6() || b.is_ipv4());
    // Port 0 stands for any free one.
    let is_same = |a: SocketAddr, b: SocketAddr| {
        a.port() != 0 && a.port() == b.port() && (a.ip() == b.ip() || covers(a, b) || covers(b, a))
    };
    for (position, (setting, address)) in listeners.iter().enumerate() {
        let Some(address) = *address else { continue };
        for (other, _) in listeners[..position].iter().filter(|(_, other)| other.is_some_and(|it| is_same(it, address)))
        {
            mistakes.note(setting, format!("must not be the address of {other}"));
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
            let settings = TlsSettings { listen, certificates: certificates.into(), key: key.into() };
            let served = ServerCertificate::load(&settings);
            let served = served.map_err(|failure| format!("or TLS_KEY cannot be used: {failure}"));
            mistakes.check("TLS_CERTIFICATES", served)?;
            Some(settings)
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
    let files = [("REDIS_CA", &authorities), ("REDIS_CERTIFICATES", &certificates), ("REDIS_KEY", &key)];
    let mut useless = files.iter().filter(|(_, file)| file.is_some() && !has_tls).peekable();
    if useless.peek().is_some() {
        useless.for_each(|(setting, _)| mistakes.note(setting, "needs a REDIS_URL that begins with rediss://"));
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
    if is_plain && is_safe(&url) { Ok(text.trim_end_matches('/').to_owned()) } else { Err(RULE) }
}

/// The origin of web pages, as browsers spell it. They are compared as text.
pub(super) fn origin(text: &str) -> Result<String, &'static str> {
    const RULE: &str = "must be origins like https://app.example.com (http only on this machine), without a path, a \
                        slash at the end or the usual port, and never *";
    let url = Url::parse(text).ok().filter(is_safe);
    // A host may have a star in it, but no browser sends one.
    let is_origin = !text.contains('*') && url.is_some_and(|url| url.origin().ascii_serialization() == text);
    if is_origin { Ok(text.to_owned()) } else { Err(RULE) }
}

/// https, or http to this machine.
fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || url.scheme() == "http" && is_loopback(url)
}

fn is_loopback(url: &Url) -> bool {
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
    match Db::check_url(url, surface.name) {
        // A full disk is no mistake in the settings. What opens the database reports it.
        Err(failure) if failure.kind() == Kind::Unavailable => Ok(()),
        checked => checked.map_err(|failure| format!("cannot be used: {failure}")),
    }
}

/// `None` on a mistake, or without an issuer.
pub(super) fn issuer(mistakes: &mut Mistakes, issuer: Option<String>, jwks: Option<String>) -> Option<IssuerSettings> {
    match (issuer, jwks) {
        (None, None) => None,
        (Some(issuer), Some(jwks)) => {
            let is_issuer = Url::parse(&issuer).is_ok_and(|url| is_safe(&url));
            let issuer = is_issuer.then_some(issuer).ok_or("must be an https URL (http only on this machine)");
            let (issuer, jwks) = (mistakes.check("ISSUER", issuer), mistakes.check("JWKS", jwks_source(jwks)));
            Some(IssuerSettings { issuer: issuer?, jwks: jwks? })
        }
        _ => {
            mistakes.note("ISSUER", "and JWKS must be set together or not at all");
            None
        }
    }
}

fn jwks_source(text: String) -> Result<JwksSource, &'static str> {
    if Url::parse(&text).is_ok_and(|url| is_safe(&url)) {
        return Ok(JwksSource::Url(text));
    }
    // A mistyped URL must not be read as the name of a file.
    let file = PathBuf::from(text);
    if file.is_file() {
        Ok(JwksSource::File(file))
    } else {
        Err("must be an https URL (http only on this machine) or a file that exists")
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
    let unusable = |error: io::Error| format!("cannot be kept in {}: {error}", path.display());
    // Of two processes that start at the same time, one creates the secret and both read it.
    if !path.exists()
        && let Err(error) = make_secret(path)
        && error.kind() != ErrorKind::AlreadyExists
    {
        return Err(unusable(error));
    }
    let text = fs::read_to_string(path).map_err(unusable)?;
    Secret::from_text(&text).map_err(|rule| format!("in {} {rule}", path.display()))
}

fn make_secret(path: &Path) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(hex::encode(rand::random::<[u8; 32]>()).as_bytes())?;
    file.persist_new()
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
        let pair = text.split_once('=').ok_or("must be written as name=number");
        let Some((name, number)) = mistakes.check("RATE_LIMITS", pair) else { continue };
        if !known.iter().any(|class| class.name == name) {
            let names: Vec<_> = known.iter().map(|class| class.name).collect();
            mistakes.note("RATE_LIMITS", format!("must name existing limits: {}", names.join(", ")));
        } else if limits.0.iter().any(|(earlier, _)| *earlier == name) {
            mistakes.note("RATE_LIMITS", "must give each limit once");
        } else if let Ok(number @ 1..) = number.parse() {
            limits.0.push((name.to_owned(), number));
        } else {
            mistakes.note("RATE_LIMITS", format!("must give {name} a number from 1"));
        }
    }
    limits
}
