//! The settings as they are written: environment variables, or options of the same names.

use std::net::SocketAddr;

use shared_model::Secret;

use super::{
    BODY_TIMEOUT, Mistakes, STOP_TIMEOUT, Settings, WorkerMode,
    checks::{
        base_url, beside_database, database, database_place, default_database, issuer, kept_secret, list, network,
        rate_limits, redis, sign_in_client, socket, sqlite_path, tls,
    },
    from_file,
};
use crate::{
    base::{signing_key::KeyPlace, surface::Surface, telemetry},
    state::{blobs::BlobPlace, rate_limit::LimitClass},
};

/// Under what `--help` lists them.
pub const HEADING: &str = "Settings";

/// Settings, not checked yet. Without any, a service runs embedded: SQLite in the working directory, counters in the
/// process, listening on this machine only.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = HEADING)]
pub struct SettingsArguments {
    /// Where the API listens [default: 127.0.0.1 and the service's own port]
    #[arg(long, env = "LISTEN_ADDR", global = true)]
    pub listen_addr: Option<String>,
    /// Where /livez, /readyz and /metrics listen [default: 127.0.0.1, the service's port + 100]
    #[arg(long, env = "OPS_LISTEN_ADDR", global = true)]
    pub ops_listen_addr: Option<String>,
    /// Where the API listens with TLS, with TLS_CERTIFICATES and TLS_KEY
    #[arg(long, env = "TLS_LISTEN_ADDR", global = true)]
    pub tls_listen_addr: Option<String>,
    /// PEM file with the certificate chain
    #[arg(long, env = "TLS_CERTIFICATES", global = true)]
    pub tls_certificates: Option<String>,
    /// PEM file with the private key
    #[arg(long, env = "TLS_KEY", global = true)]
    pub tls_key: Option<String>,
    /// Public base URL, which is the `aud` of access tokens too [default: http:// and LISTEN_ADDR]
    #[arg(long, env = "BASE_URL", global = true)]
    pub base_url: Option<String>,
    /// sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE [default: sqlite:SERVICE.db]
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// A file with the DATABASE_URL, instead of it
    #[arg(long, env = "DATABASE_URL_FILE", global = true)]
    pub database_url_file: Option<String>,
    /// Database connections, 1 to 100 [default: 4 on SQLite, 16 on PostgreSQL]
    #[arg(long, env = "DATABASE_CONNECTIONS", global = true)]
    pub database_connections: Option<String>,
    /// file:PATH, or s3://BUCKET/PREFIX with AWS_ACCESS_KEY_ID and the like [default on SQLite: beside the database]
    #[arg(long, env = "BLOB_STORE", global = true)]
    pub blob_store: Option<String>,
    /// redis://HOST:PORT shared by all replicas, rediss:// with TLS [default: counters in this process]
    #[arg(long, env = "REDIS_URL", hide_env_values = true, global = true)]
    pub redis_url: Option<String>,
    /// A file with the REDIS_URL, instead of it
    #[arg(long, env = "REDIS_URL_FILE", global = true)]
    pub redis_url_file: Option<String>,
    /// PEM file with the authorities that may vouch for Redis [default: those of the machine]
    #[arg(long, env = "REDIS_CA", global = true)]
    pub redis_ca: Option<String>,
    /// PEM file with the certificate chain that Redis is shown, with REDIS_KEY [default: none]
    #[arg(long, env = "REDIS_CERTIFICATES", global = true)]
    pub redis_certificates: Option<String>,
    /// PEM file with its private key
    #[arg(long, env = "REDIS_KEY", global = true)]
    pub redis_key: Option<String>,
    /// Issuer of access tokens (`iss`), with JWKS
    #[arg(long, env = "ISSUER", global = true)]
    pub issuer: Option<String>,
    /// The issuer's keys: an https URL or a file
    #[arg(long, env = "JWKS", global = true)]
    pub jwks: Option<String>,
    /// The client id of the pages' sign-in at the issuer, a public client [default: nobody can sign in]
    #[arg(long, env = "SIGN_IN_CLIENT_ID", global = true)]
    pub sign_in_client_id: Option<String>,
    /// Root of cursors, entity tags and capabilities: at least 32 random bytes, the same for all replicas
    /// [default on SQLite: made once, beside the database]
    #[arg(long, env = "SERVICE_SECRET", hide_env_values = true, global = true)]
    pub service_secret: Option<String>,
    /// A file with the SERVICE_SECRET, instead of it
    #[arg(long, env = "SERVICE_SECRET_FILE", global = true)]
    pub service_secret_file: Option<String>,
    /// The key that signs the log's checkpoints: a file with an Ed25519 key in PKCS#8 PEM, the same for all replicas
    /// [default on SQLite: made once, beside the database]
    #[arg(long, env = "LOG_SIGNING_KEY", global = true)]
    pub log_signing_key: Option<String>,
    /// Witnesses that cosign the log's checkpoints: pairs of a verifier key, a blank and a URL, separated by commas
    /// [default: none]
    #[arg(long, env = "LOG_WITNESSES", global = true)]
    pub log_witnesses: Option<String>,
    /// How many of them must have cosigned a checkpoint before the log serves it [default: more than half]
    #[arg(long, env = "LOG_WITNESSES_NEEDED", global = true)]
    pub log_witnesses_needed: Option<String>,
    /// Proxies whose X-Forwarded-For is believed: addresses or networks, separated by commas
    #[arg(long, env = "TRUSTED_PROXIES", global = true)]
    pub trusted_proxies: Option<String>,
    /// Addresses, networks or host:port, separated by commas, that the service may call out to though they are not public
    /// [default: none]
    #[arg(long, env = "OUTBOUND_ALLOW", global = true)]
    pub outbound_allow: Option<String>,
    /// Requests a minute that differ from the defaults: read=120,write=30
    #[arg(long, env = "RATE_LIMITS", global = true)]
    pub rate_limits: Option<String>,
    /// Work on jobs in the background: on, off (another process does), or only (and answer no requests) [default: on]
    #[arg(long, env = "WORKERS", global = true)]
    pub workers: Option<String>,
    /// What is logged: a level, or pairs like info,cloud_svc=debug [default: info,actix_server=warn]
    #[arg(long, env = "RUST_LOG", global = true)]
    pub rust_log: Option<String>,
}

impl SettingsArguments {
    /// Checks everything and returns the settings, or all mistakes. `limits` are those that the service has.
    pub fn check(self, surface: &Surface, limits: &[&LimitClass]) -> Result<Settings, Mistakes> {
        self.check_with(surface, limits, |_, _| {})
    }

    /// The same, with a service's check of its own; it sees the values that stand in files.
    pub fn check_with(
        mut self,
        surface: &Surface,
        limits: &[&LimitClass],
        own: impl FnOnce(&Self, &mut Mistakes),
    ) -> Result<Settings, Mistakes> {
        let mut mistakes = Mistakes::default();
        self.take_empty(&mut mistakes);
        self.take_files(&mut mistakes);
        own(&self, &mut mistakes);
        let port = surface.port;
        let listen = socket(&mut mistakes, "LISTEN_ADDR", self.listen_addr.as_deref(), port);
        let ops_listen = socket(&mut mistakes, "OPS_LISTEN_ADDR", self.ops_listen_addr.as_deref(), port + 100);
        let tls = tls(&mut mistakes, self.tls_listen_addr, self.tls_certificates, self.tls_key);
        let base_url = self.base_url.map_or(Some(String::new()), |url| mistakes.check("BASE_URL", base_url(&url)));
        let database_url = self.database_url.unwrap_or_else(|| default_database(surface));
        let is_database = !mistakes.has("DATABASE_URL_FILE")
            && mistakes
                .check("DATABASE_URL", database(&database_url))
                .and_then(|()| mistakes.check("DATABASE_URL", database_place(&database_url, surface)))
                .is_some();
        let is_sqlite = database_url.starts_with("sqlite:");
        let connections = match self.database_connections {
            None => Some(if is_sqlite { 4 } else { 16 }),
            Some(text) => match text.parse() {
                Ok(number @ 1..=100) => Some(number),
                _ => mistakes.check("DATABASE_CONNECTIONS", Err("must be a number from 1 to 100")),
            },
        };
        let blobs = match self.blob_store {
            Some(text) => mistakes.check("BLOB_STORE", text.parse()),
            None => is_sqlite.then(|| BlobPlace::Folder(beside_database(&database_url, "blobs").into())),
        };
        let log_signing_key = match self.log_signing_key {
            Some(path) => {
                let place = KeyPlace::Given(path.into());
                mistakes.check("LOG_SIGNING_KEY", place.read()).map(|_| place)
            }
            None => is_sqlite.then(|| KeyPlace::Kept(beside_database(&database_url, "log-signing-key").into())),
        };
        let redis = redis(&mut mistakes, self.redis_url, self.redis_ca, self.redis_certificates, self.redis_key);
        if let Some(client_id) = &self.sign_in_client_id {
            mistakes.check("SIGN_IN_CLIENT_ID", sign_in_client(client_id, self.issuer.as_deref()));
        }
        let issuer = issuer(&mut mistakes, self.issuer, self.jwks);
        let trusted_proxies = list(self.trusted_proxies.as_deref())
            .filter_map(|text| mistakes.check("TRUSTED_PROXIES", network(text)))
            .collect();
        let outbound_allow = list(self.outbound_allow.as_deref())
            .filter_map(|text| mistakes.check("OUTBOUND_ALLOW", text.parse()))
            .collect();
        let rate_limits = rate_limits(&mut mistakes, self.rate_limits.as_deref(), limits);
        if let Some(text) = &self.rust_log {
            mistakes.check("RUST_LOG", telemetry::filter(text));
        }
        let workers = mistakes.check("WORKERS", self.workers.as_deref().unwrap_or("on").parse::<WorkerMode>());
        // Last, so that none is made for settings with a mistake.
        let may_make = mistakes.is_empty();
        let secret = match self.service_secret {
            Some(text) => mistakes.check("SERVICE_SECRET", Secret::from_text(&text)),
            None if is_sqlite && is_database => {
                mistakes.check("SERVICE_SECRET", kept_secret(&database_url, may_make)).flatten()
            }
            None if is_sqlite || mistakes.has("SERVICE_SECRET_FILE") => None,
            None => mistakes.check("SERVICE_SECRET", Err("is needed with PostgreSQL: at least 32 random bytes")),
        };
        match (listen, ops_listen, tls, base_url, connections, issuer, secret, workers) {
            (
                Some(listen),
                Some(ops_listen),
                Some(tls),
                Some(base_url),
                Some(connections),
                Some(issuer),
                Some(secret),
                Some(workers),
            ) if mistakes.is_empty() => Ok(Settings {
                listen,
                ops_listen,
                tls,
                base_url,
                database_url,
                connections,
                blobs,
                redis,
                issuer,
                sign_in_client_id: self.sign_in_client_id,
                secret,
                log_signing_key,
                log_witnesses: self.log_witnesses,
                log_witnesses_needed: self.log_witnesses_needed,
                trusted_proxies,
                outbound_allow,
                rate_limits,
                workers,
                body_timeout: BODY_TIMEOUT,
                stop_timeout: STOP_TIMEOUT,
            }),
            _ => Err(mistakes),
        }
    }

    /// Notes each setting that is empty, and leaves it out: an empty one is more often a variable that was not filled
    /// in than a wish for the default.
    fn take_empty(&mut self, mistakes: &mut Mistakes) {
        for (name, value) in [
            ("LISTEN_ADDR", &mut self.listen_addr),
            ("OPS_LISTEN_ADDR", &mut self.ops_listen_addr),
            ("TLS_LISTEN_ADDR", &mut self.tls_listen_addr),
            ("TLS_CERTIFICATES", &mut self.tls_certificates),
            ("TLS_KEY", &mut self.tls_key),
            ("BASE_URL", &mut self.base_url),
            ("DATABASE_URL", &mut self.database_url),
            ("DATABASE_URL_FILE", &mut self.database_url_file),
            ("DATABASE_CONNECTIONS", &mut self.database_connections),
            ("BLOB_STORE", &mut self.blob_store),
            ("REDIS_URL", &mut self.redis_url),
            ("REDIS_URL_FILE", &mut self.redis_url_file),
            ("REDIS_CA", &mut self.redis_ca),
            ("REDIS_CERTIFICATES", &mut self.redis_certificates),
            ("REDIS_KEY", &mut self.redis_key),
            ("ISSUER", &mut self.issuer),
            ("JWKS", &mut self.jwks),
            ("SIGN_IN_CLIENT_ID", &mut self.sign_in_client_id),
            ("SERVICE_SECRET", &mut self.service_secret),
            ("SERVICE_SECRET_FILE", &mut self.service_secret_file),
            ("LOG_SIGNING_KEY", &mut self.log_signing_key),
            ("LOG_WITNESSES", &mut self.log_witnesses),
            ("LOG_WITNESSES_NEEDED", &mut self.log_witnesses_needed),
            ("TRUSTED_PROXIES", &mut self.trusted_proxies),
            ("OUTBOUND_ALLOW", &mut self.outbound_allow),
            ("RATE_LIMITS", &mut self.rate_limits),
            ("WORKERS", &mut self.workers),
            ("RUST_LOG", &mut self.rust_log),
        ] {
            if value.as_ref().is_some_and(|text| text.trim().is_empty()) {
                mistakes.note(name, "must not be empty; unset it for the default");
                *value = None;
            }
        }
    }

    /// Reads the secrets that are in files.
    fn take_files(&mut self, mistakes: &mut Mistakes) {
        for (setting, file, path, value) in [
            ("DATABASE_URL", "DATABASE_URL_FILE", &self.database_url_file, &mut self.database_url),
            ("REDIS_URL", "REDIS_URL_FILE", &self.redis_url_file, &mut self.redis_url),
            ("SERVICE_SECRET", "SERVICE_SECRET_FILE", &self.service_secret_file, &mut self.service_secret),
        ] {
            let Some(path) = path else { continue };
            if value.is_some() {
                mistakes.note(file, format!("and {setting} must not both be set"));
            } else {
                *value = mistakes.check(file, from_file::value(path));
            }
        }
    }

    /// A mistake when the SQLite database is not there yet: only a service that starts, and `migrate`, make one.
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
            // Whatever else is wrong there is told by the check of all settings.
            && database_place(&url, surface).is_ok()
        {
            mistakes.note("DATABASE_URL", format!("there is no database at {}; migrate makes one", path.display()));
            return Err(mistakes);
        }
        Ok(())
    }

    /// Where the operator's endpoints listen, for `healthcheck`, which needs no other setting.
    pub fn ops_address(&self, surface: &Surface) -> Result<SocketAddr, Mistakes> {
        let mut mistakes = Mistakes::default();
        let port = surface.port + 100;
        socket(&mut mistakes, "OPS_LISTEN_ADDR", self.ops_listen_addr.as_deref(), port).ok_or(mistakes)
    }
}

#[cfg(test)]
pub(super) mod tests;
