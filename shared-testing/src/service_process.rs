//! A service in its own process, so that tests can kill and restart it.

use std::{
    fs::File,
    net::SocketAddr,
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
    rc::Rc,
    time::Duration,
};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use shared_model::Secret;
use shared_runtime::{
    Clock, base::signing_key::KeyFile, context::settings::optional::OptionalSetting, service::Service,
};
use tempfile::TempDir;

use crate::{
    browser::Browser,
    caller::Caller,
    database::{Database, count, ids},
    free_port::free_address,
    request::Request,
    servers::{self, Servers},
    stage::SERVICE_SECRET,
    test_server::TestServer,
    token::{Issuer, Token},
};

/// A service process with a database that outlives it.
pub struct ServiceProcess {
    pub issuer: Issuer,
    service: Service,
    binary: PathBuf,
    words: &'static [&'static str],
    settings: Vec<(&'static str, String)>,
    base_url: String,
    server: Rc<TestServer>,
    ops: Rc<TestServer>,
    process: Option<std::process::Child>,
    database: Rc<Database>,
    folder: Rc<TempDir>,
    manner: Manner,
}

/// How the program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Plain,
    /// Its log is kept.
    Logged,
    /// Files have limits and permissions for it. Its log is kept, as one of these files.
    Bounded,
}

/// Runs a program without root's right to write everywhere. `FILE_BLOCKS` in its environment limits the length of the
/// files that it writes, in blocks of 512 bytes. The signal is ignored, because it would end the program.
const BOUNDED: &str = r#"trap '' XFSZ
if [ "$FILE_BLOCKS" ]; then ulimit -S -f "$FILE_BLOCKS"; unset FILE_BLOCKS; fi
if [ "$(id -u)" = 0 ]; then exec setpriv --bounding-set=-dac_override "$0" "$@"; fi
exec "$0" "$@""#;

impl ServiceProcess {
    /// Starts the program (`env!("CARGO_BIN_EXE_cloud-svc")`) with the usual settings and these variables. Waits until
    /// it answers.
    pub async fn of(binary: &str, service: Service, environment: &[(&'static str, &str)]) -> Self {
        Self::on(binary, service, servers::of_this_run(), environment).await
    }

    /// The same; keeps the log for [`Self::log`].
    pub async fn logging(binary: &str, service: Service, environment: &[(&'static str, &str)]) -> Self {
        Self::made(binary.into(), &[], service, servers::of_this_run(), environment, Manner::Logged).await
    }

    /// Starts it so that [`Self::limit_files`] and the permissions of files hold for it, also as root. `FILE_BLOCKS` in
    /// the environment of a start or a command limits its files from the first byte.
    pub async fn bounded(
        binary: &str,
        service: Service,
        servers: Option<Servers>,
        environment: &[(&'static str, &str)],
    ) -> Self {
        Self::made(binary.into(), &[], service, servers, environment, Manner::Bounded).await
    }

    /// Starts another service of the same program, by its subcommand.
    pub async fn by_command(
        binary: &str,
        words: &'static [&'static str],
        service: Service,
        environment: &[(&'static str, &str)],
    ) -> Self {
        Self::made(binary.into(), words, service, servers::of_this_run(), environment, Manner::Plain).await
    }

    /// The same, on given servers, or embedded.
    pub async fn on(
        binary: impl Into<PathBuf>,
        service: Service,
        servers: Option<Servers>,
        environment: &[(&'static str, &str)],
    ) -> Self {
        Self::made(binary.into(), &[], service, servers, environment, Manner::Plain).await
    }

    async fn made(
        binary: PathBuf,
        words: &'static [&'static str],
        service: Service,
        servers: Option<Servers>,
        environment: &[(&'static str, &str)],
        manner: Manner,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = Database::fresh(servers.as_ref(), folder.path());
        let issuer = Issuer::new("https://issuer.test", "first");
        let jwks = issuer.write_jwks(folder.path());
        let (address, ops_address) = (free_address(), free_address());
        let base_url = format!("http://{address}");
        let log_key = folder.path().join("log-signing-key");
        // Made now: processes that start at the same time must not create the key twice.
        KeyFile::Generated(log_key.clone()).read_or_make().expect("the log's key is made");
        let mut settings = vec![
            ("LISTEN_ADDR", address.to_string()),
            ("OPS_LISTEN_ADDR", ops_address.to_string()),
            ("BASE_URL", base_url.clone()),
            ("DATABASE_URL", database.url.clone()),
            // Many processes share one PostgreSQL.
            ("DATABASE_CONNECTIONS", "4".to_owned()),
            ("BLOB_STORE", format!("file:{}", folder.path().join("blobs").display())),
            ("ISSUER", issuer.url.clone()),
            ("JWKS", jwks.display().to_string()),
            ("SERVICE_SECRET", SERVICE_SECRET.to_owned()),
            ("LOG_SIGNING_KEY", log_key.display().to_string()),
        ];
        settings.extend(servers.map(|servers| ("REDIS_URL", servers.redis_url())));
        let unused: Vec<_> = service.unused_settings().into_iter().map(OptionalSetting::variable).collect();
        // A service refuses settings that it does not use.
        settings.retain(|(name, _)| !unused.iter().any(|unused| unused == name));
        let mut started = Self {
            issuer,
            service,
            binary,
            words,
            settings,
            base_url,
            server: Rc::new(TestServer::at(address)),
            ops: Rc::new(TestServer::at(ops_address)),
            process: None,
            database: Rc::new(database),
            folder: Rc::new(folder),
            manner,
        };
        started.start(environment).await;
        started
    }

    /// Another process on the same database, with the same settings except for its addresses and these variables.
    pub async fn beside(&self, environment: &[(&'static str, &str)]) -> Self {
        let (address, ops_address) = (free_address(), free_address());
        let mut settings = self.settings.clone();
        for (name, value) in &mut settings {
            match *name {
                "LISTEN_ADDR" => *value = address.to_string(),
                "OPS_LISTEN_ADDR" => *value = ops_address.to_string(),
                _ => {}
            }
        }
        let mut started = Self {
            issuer: self.issuer.clone(),
            service: self.service.clone(),
            binary: self.binary.clone(),
            words: self.words,
            settings,
            base_url: self.base_url.clone(),
            server: Rc::new(TestServer::at(address)),
            ops: Rc::new(TestServer::at(ops_address)),
            process: None,
            database: Rc::clone(&self.database),
            folder: Rc::clone(&self.folder),
            manner: self.manner,
        };
        started.start(environment).await;
        started
    }

    /// Starts it again on the same database and port.
    pub async fn start(&mut self, environment: &[(&'static str, &str)]) {
        assert!(self.process.is_none(), "it runs already");
        let mut command = self.command(self.words);
        command.stdout(Stdio::null()).envs(environment.iter().copied());
        // A file, because an unread pipe would block the service once it is full.
        if self.manner != Manner::Plain {
            let log = File::options().create(true).append(true).open(self.folder.path().join("log"));
            command.stderr(log.expect("the log opens"));
        }
        self.process = Some(command.spawn().expect("the binary starts"));
        // Not the API's port, which opens before the migration. The operator endpoints start last.
        while Request::new(Rc::clone(&self.ops), "GET", "/livez".to_owned()).send().await.is_err() {
            if let Some(status) = self.exited() {
                panic!("{} ended before it answered: {status}", self.binary.display());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("our own child can be killed");
            process.wait().expect("our own child can be waited for");
        }
    }

    pub async fn ended(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.exited() {
                self.process = None;
                return status;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The program with these arguments and the same settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match self.manner {
            Manner::Plain | Manner::Logged => Command::new(&self.binary),
            Manner::Bounded => {
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", BOUNDED]).arg(&self.binary);
                shell
            }
        };
        // Without the caller's environment, which may contain settings such as `DATABASE_URL`.
        command.args(arguments).env_clear().stdin(Stdio::null());
        command.envs(self.settings.iter().map(|(name, value)| (*name, value.as_str())));
        command
    }

    /// The log so far; needs [`ServiceProcess::logging`] or [`ServiceProcess::bounded`].
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).expect("there is a log")
    }

    pub async fn metrics(&self) -> String {
        let response = Request::new(Rc::clone(&self.ops), "GET", "/metrics".to_owned()).send().await;
        response.expect("the operator's endpoint answers").body()
    }

    /// Status of `/readyz`.
    pub async fn ready(&self) -> u16 {
        let response = Request::new(Rc::clone(&self.ops), "GET", "/readyz".to_owned()).send().await;
        response.expect("the operator's endpoint answers").status
    }

    /// A folder that is deleted with this value.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Sends a signal (`TERM`, `STOP`, `CONT`).
    pub fn signal(&self, name: &str) {
        servers::signal(self.pid(), name);
    }

    /// Lets the process write no file beyond this length, as if the disk were full; `None` lifts the limit. Needs
    /// [`ServiceProcess::bounded`].
    pub fn limit_files(&self, bytes: Option<u64>) {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw);
        // Who is not root may not raise the hard limit.
        let maximum = getrlimit(Resource::Fsize).maximum;
        let limit = Rlimit { current: bytes.or(maximum), maximum };
        prlimit(pid, Resource::Fsize, limit).expect("our own child can be limited");
    }

    pub fn pid(&self) -> u32 {
        self.process.as_ref().expect("it runs").id()
    }

    pub fn count(&self, table: &str) -> i64 {
        count(&self.database.url, table)
    }

    pub fn ids(&self, table: &str) -> Vec<i64> {
        ids(&self.database.url, table)
    }

    /// Makes the database unavailable: see `Database::disconnect`.
    pub fn lose_database(&self) {
        self.database.disconnect();
    }

    pub fn find_database(&self) {
        self.database.reconnect();
    }

    pub fn database_url(&self) -> &str {
        &self.database.url
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    pub fn ops_address(&self) -> SocketAddr {
        self.ops.address
    }

    /// A caller without a token.
    pub fn anyone(&self) -> Caller {
        Caller::anonymous(Rc::clone(&self.server))
    }

    /// A caller with a valid token, as on a [`crate::Stage`].
    pub fn caller(&self, name: &str) -> Caller {
        let token = Token::of_owner(&self.service, &self.issuer, &self.base_url, name, Clock::System.now());
        Caller::with_token(Rc::clone(&self.server), token)
    }

    /// The same person, signed in to the service's pages.
    pub fn browser(&self, caller: &Caller) -> Browser {
        let secret = Secret::from_text(SERVICE_SECRET).expect("a secret");
        let at = (self.service.surface, self.base_url.as_str(), &secret);
        Browser::new(Rc::clone(&self.server), at, caller, &Clock::System)
    }

    fn exited(&mut self) -> Option<ExitStatus> {
        let process = self.process.as_mut().expect("it was started");
        process.try_wait().expect("our own child can be waited for")
    }
}

impl Drop for ServiceProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
