//! Settings as they are given: environment variables, or options of the same names.

use std::net::SocketAddr;

use clap::{ArgMatches, Command, FromArgMatches as _};
use shared_model::Secret;

use super::{
    Mistakes, Role, Settings,
    checks::{
        base_url, beside_database, database, database_place, default_database, different_addresses, issuer,
        kept_secret, list, network, origin, rate_limits, redis, socket, sqlite_path, tls,
    },
    from_file,
};
use crate::{
    base::{signing_key::KeyFile, surface::Surface, telemetry},
    state::{blobs::BlobLocation, rate_limit::LimitClass},
};

/// The section of `--help` that lists them.
pub const HEADING: &str = "Settings";

/// Settings as text, not checked yet. Without any, a service runs embedded: SQLite in the working directory, counters in
/// the process, listening on this machine only.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = HEADING)]
pub struct SettingsArguments {
    /// Address and port of the API [default: 127.0.0.1 and the port of the service]
    #[arg(long, env, global = true)]
    pub listen_addr: Option<String>,
    /// Address and port of /livez, /readyz and /metrics [default: 127.0.0.1 and the service's port + 100]
    #[arg(long, env, global = true)]
    pub ops_listen_addr: Option<String>,
    /// Address and port of the API with TLS; needs TLS_CERTIFICATES and TLS_KEY [default: no TLS]
    #[arg(long, env, global = true)]
    pub tls_listen_addr: Option<String>,
    /// PEM file with the certificate chain; read again each minute, as is the key
    #[arg(long, env, global = true)]
    pub tls_certificates: Option<String>,
    /// PEM file with the private key
    #[arg(long, env, global = true)]
    pub tls_key: Option<String>,
    /// Public base URL; also the `aud` of the access tokens that it takes, if any [default: http:// and LISTEN_ADDR]
    #[arg(long, env, global = true)]
    pub base_url: Option<String>,
    /// sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE [default: sqlite:SERVICE.db]
    #[arg(long, env, hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// File that contains the DATABASE_URL
    #[arg(long, env, global = true)]
    pub database_url_file: Option<String>,
    /// Number of database connections, 1 to 100 [default: 4 on SQLite, 16 on PostgreSQL]
    #[arg(long, env, global = true)]
    pub database_connections: Option<String>,
    /// file:PATH, or s3://BUCKET/PREFIX with AWS_ACCESS_KEY_ID and the like [default on SQLite: next to the database]
    #[arg(long, env, global = true)]
    pub blob_store: Option<String>,
    /// redis://HOST:PORT, shared by all replicas; rediss:// for TLS [default: counters in this process]
    #[arg(long, env, hide_env_values = true, global = true)]
    pub redis_url: Option<String>,
    /// File that contains the REDIS_URL
    #[arg(long, env, global = true)]
    pub redis_url_file: Option<String>,
    /// PEM file with the certificate authorities for Redis [default: those of the machine]
    #[arg(long, env, global = true)]
    pub redis_ca: Option<String>,
    /// PEM file with the client certificate chain for Redis; needs REDIS_KEY [default: none]
    #[arg(long, env, global = true)]
    pub redis_certificates: Option<String>,
    /// PEM file with the private key of the client certificate for Redis
    #[arg(long, env, global = true)]
    pub redis_key: Option<String>,
    /// Issuer of access tokens (`iss`); needs JWKS
    #[arg(long, env, global = true)]
    pub issuer: Option<String>,
    /// The issuer's keys: an https URL or a file
    #[arg(long, env, global = true)]
    pub jwks: Option<String>,
    /// Secret behind cursors, entity tags and links: at least 32 random bytes, the same for all replicas
    /// [default on SQLite: created once, next to the database]
    #[arg(long, env, hide_env_values = true, global = true)]
    pub service_secret: Option<String>,
    /// File that contains the SERVICE_SECRET
    #[arg(long, env, global = true)]
    pub service_secret_file: Option<String>,
    /// File with the Ed25519 key (PKCS#8 PEM) that signs checkpoints of the log, the same for all replicas
    /// [default on SQLite: created once, next to the database]
    #[arg(long, env, global = true)]
    pub log_signing_key: Option<String>,
    /// Proxies whose X-Forwarded-For header is trusted: addresses or networks, separated by commas [default: none]
    #[arg(long, env, global = true)]
    pub trusted_proxies: Option<String>,
    /// Origins whose pages may call the API, like `https://app.example.com`, separated by commas [default: none]
    #[arg(long, env, global = true)]
    pub cors_origins: Option<String>,
    /// Private addresses, networks or host:port, separated by commas, that the service may call [default: none]
    #[arg(long, env, global = true)]
    pub outbound_allow: Option<String>,
    /// Requests per minute that differ from the defaults, like read=120,write=30
    #[arg(long, env, global = true)]
    pub rate_limits: Option<String>,
    /// What this process does: all, api (no background work), or worker (background work only) [default: all]
    #[arg(long, env, global = true)]
    pub role: Option<String>,
    /// Log level, or levels of modules like info,cloud_svc=debug [default: info,actix_server=warn]
    #[arg(long, env, global = true)]
    pub rust_log: Option<String>,
    /// Names of settings that were given without a value.
    #[arg(skip)]
    pub blank: Vec<String>,
}

impl SettingsArguments {
    /// Reads them from a parsed command line. Settings without a value are left out, and the check reports them. They
    /// are more often variables that were not filled in than a wish for the default.
    pub fn from_matches(command: &Command, matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        let mut blank = Vec::new();
        for argument in command.get_arguments().filter(|argument| argument.get_help_heading() == Some(HEADING)) {
            let id = argument.get_id().as_str();
            let is_blank = matches.get_one::<String>(id).is_some_and(|value| value.trim().is_empty());
            if let Some(name) = argument.get_long().filter(|_| is_blank) {
                matches.remove_one::<String>(id);
                blank.push(name.replace('-', "_").to_ascii_uppercase());
            }
        }
        Ok(Self { blank, ..Self::from_arg_matches(matches)? })
    }

    /// The settings, or all mistakes. `limits` are the rate limits that the service has.
    pub fn check(self, surface: &Surface, limits: &[&LimitClass]) -> Result<Settings, Mistakes> {
        self.check_with(surface, limits, |_, _| {})
    }

    /// The same with further checks, which see the values from secret files.
    pub fn check_with(
        mut self,
        surface: &Surface,
        limits: &[&LimitClass],
        check_further: impl FnOnce(&Self, &mut Mistakes),
    ) -> Result<Settings, Mistakes> {
        let mut mistakes = Mistakes::default();
        for name in &self.blank {
            mistakes.note(name, "must not be empty; unset it for the default");
        }
        self.take_files(&mut mistakes);
        check_further(&self, &mut mistakes);
        let port = surface.port;
        let listen = socket(&mut mistakes, "LISTEN_ADDR", self.listen_addr.as_deref(), port);
        // A fixed distance from the API's port, so that the four services and their probes never meet on one machine.
        let ops_listen = socket(&mut mistakes, "OPS_LISTEN_ADDR", self.ops_listen_addr.as_deref(), port + 100);
        let tls = tls(&mut mistakes, self.tls_listen_addr, self.tls_certificates, self.tls_key);
        let tls_listen = tls.as_ref().map(|tls| tls.listen);
        let listeners = [("LISTEN_ADDR", listen), ("OPS_LISTEN_ADDR", ops_listen), ("TLS_LISTEN_ADDR", tls_listen)];
        different_addresses(&mut mistakes, &listeners);
        let base_url = self.base_url.and_then(|url| mistakes.check("BASE_URL", base_url(&url)));
        let database_url = self.database_url.unwrap_or_else(|| default_database(surface));
        let is_database = !mistakes.has("DATABASE_URL_FILE")
            && mistakes
                .check("DATABASE_URL", database(&database_url))
                .and_then(|()| mistakes.check("DATABASE_URL", database_place(&database_url, surface)))
                .is_some();
        let is_sqlite = database_url.starts_with("sqlite:");
        let connections = match self.database_connections {
            None => {
                if is_sqlite {
                    4
                } else {
                    16
                }
            }
            Some(text) => {
                let number = text.parse().ok().filter(|number| (1..=100).contains(number));
                mistakes
                    .check("DATABASE_CONNECTIONS", number.ok_or("must be a number from 1 to 100"))
                    .unwrap_or_default()
            }
        };
        let blobs = match self.blob_store {
            Some(text) => mistakes.check("BLOB_STORE", text.parse()),
            None => is_sqlite.then(|| BlobLocation::Folder(beside_database(&database_url, "blobs").into())),
        };
        let log_signing_key = match self.log_signing_key {
            Some(path) => {
                let place = KeyFile::Provided(path.into());
                mistakes.check("LOG_SIGNING_KEY", place.read()).map(|_| place)
            }
            // Replicas on PostgreSQL must share the key, so there is no safe default for them.
            None => is_sqlite.then(|| KeyFile::Generated(beside_database(&database_url, "log-signing-key").into())),
        };
        let redis = redis(&mut mistakes, self.redis_url, self.redis_ca, self.redis_certificates, self.redis_key);
        let issuer = issuer(&mut mistakes, self.issuer, self.jwks);
        let trusted_proxies = list(self.trusted_proxies.as_deref())
            .filter_map(|text| mistakes.check("TRUSTED_PROXIES", network(text)))
            .collect();
        let cors_origins = list(self.cors_origins.as_deref())
            .filter_map(|text| mistakes.check("CORS_ORIGINS", origin(text)))
            .collect();
        let outbound_allow = list(self.outbound_allow.as_deref())
            .filter_map(|text| mistakes.check("OUTBOUND_ALLOW", text.parse()))
            .collect();
        let rate_limits = rate_limits(&mut mistakes, self.rate_limits.as_deref(), limits);
        if let Some(text) = &self.rust_log {
            mistakes.check("RUST_LOG", telemetry::filter(text));
        }
        let role = self.role.map_or(Some(Role::All), |text| mistakes.check("ROLE", text.parse()));
        // Last, so that no secret is created for settings with a mistake.
        let may_make = mistakes.is_empty();
        let secret = match self.service_secret {
            Some(text) => mistakes.check("SERVICE_SECRET", Secret::from_text(&text)),
            None if is_sqlite && is_database => {
                mistakes.check("SERVICE_SECRET", kept_secret(&database_url, may_make)).flatten()
            }
            None if !database_url.starts_with("postgres") || mistakes.has("SERVICE_SECRET_FILE") => None,
            None => mistakes.check("SERVICE_SECRET", Err("is needed with PostgreSQL: at least 32 random bytes")),
        };
        let (Some(listen), Some(ops_listen), Some(role), Some(secret)) = (listen, ops_listen, role, secret) else {
            return Err(mistakes);
        };
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        Ok(Settings {
            tls,
            base_url: base_url.unwrap_or_default(),
            connections,
            blobs,
            redis,
            issuer,
            log_signing_key,
            trusted_proxies,
            cors_origins,
            outbound_allow,
            rate_limits,
            role,
            ..Settings::embedded(listen, ops_listen, database_url, secret)
        })
    }

    fn take_files(&mut self, mistakes: &mut Mistakes) {
        for (setting, file, path, value) in [
            ("DATABASE_URL", "DATABASE_URL_FILE", &self.database_url_file, &mut self.database_url),
            ("REDIS_URL", "REDIS_URL_FILE", &self.redis_url_file, &mut self.redis_url),
            ("SERVICE_SECRET", "SERVICE_SECRET_FILE", &self.service_secret_file, &mut self.service_secret),
        ] {
            let Some(path) = path else { continue };
            if value.is_some() {
                // Which of the two is right? A guess could connect to the wrong database.
                mistakes.note(file, format!("and {setting} must not both be set"));
            } else {
                *value = mistakes.check(file, from_file::value(path));
            }
        }
    }

    /// Refuses a SQLite database that does not exist: only `serve` and `migrate` create one.
    pub fn must_have_database(&self, surface: &Surface) -> Result<(), Mistakes> {
        let mut mistakes = Mistakes::default();
        let url = match (&self.database_url, &self.database_url_file) {
            (Some(url), _) => url.clone(),
            (None, None) => default_database(surface),
            (None, Some(path)) => match from_file::value(path) {
                Ok(url) => url,
                Err(_) => return Ok(()),
            },
        };
        if let Some(path) = sqlite_path(&url)
            && !path.exists()
            // Any other mistake in the URL is reported by the check of all settings.
            && database_place(&url, surface).is_ok()
        {
            mistakes.note(
                "DATABASE_URL",
                format!("names no database: {} does not exist; migrate creates it", path.display()),
            );
            return Err(mistakes);
        }
        Ok(())
    }

    /// For `healthcheck`, which needs no other setting.
    pub fn ops_address(&self, surface: &Surface) -> Result<SocketAddr, Mistakes> {
        let mut mistakes = Mistakes::default();
        let port = surface.port + 100;
        socket(&mut mistakes, "OPS_LISTEN_ADDR", self.ops_listen_addr.as_deref(), port).ok_or(mistakes)
    }

    /// The URL by which the public knows the service; the other settings may be missing.
    pub fn public_url(&self) -> Result<String, Mistakes> {
        let mut mistakes = Mistakes::default();
        let url = self.base_url.as_deref().ok_or("must be set");
        mistakes.check("BASE_URL", url.and_then(base_url)).ok_or(mistakes)
    }
}

#[cfg(test)]
pub(super) mod tests;
