//! Two PostgreSQL servers for one test. The second takes the place of the first when that one stops.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use diesel::{Connection as _, PgConnection, connection::SimpleConnection as _};
use rustix::process::geteuid;
use tempfile::TempDir;
use tokio::time::Instant;

use crate::{
    database::count,
    free_port::free_address,
    relay::Relay,
    servers::{Servers, signal},
};

const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// A primary and its synchronous standby, at one address as behind a proxy. Needs PostgreSQL's programs.
// A commit waits until the standby has it, so what was acknowledged is there after a failover.
pub struct PostgresPair {
    primary: Server,
    standby: Server,
    relay: Relay,
    password: String,
    programs: PathBuf,
    folder: TempDir,
}

struct Server {
    data: PathBuf,
    address: SocketAddr,
    process: Child,
}

impl PostgresPair {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let programs = programs();
        let password = hex::encode(rand::random::<[u8; 16]>());
        let file = folder.path().join("password");
        fs::write(&file, &password).expect("the password is written");
        if geteuid().is_root() {
            run(Command::new("chown").args(["-R", "postgres:"]).arg(folder.path()));
        }
        let data = folder.path().join("first");
        let mut initdb = as_postgres(&programs.join("initdb"), folder.path());
        initdb.arg("-D").arg(&data).arg("--pwfile").arg(&file);
        run(initdb.args(["-U", "postgres", "-A", "scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]));
        let settings = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n\
            synchronous_standby_names = '*'\nwal_keep_size = '256MB'\n\
            # No machine stops, only processes.\nfsync = off\n";
        let configuration = data.join("postgresql.conf");
        let defaults = fs::read_to_string(&configuration).expect("initdb has written it");
        fs::write(&configuration, defaults + settings).expect("the settings are written");
        let primary = Server::start(&programs, folder.path(), data, &password);
        let standby = primary.standby(&programs, folder.path(), "second", &password);
        Self { relay: Relay::to(primary.address), primary, standby, password, programs, folder }
    }

    /// These servers, with the primary in the place of their PostgreSQL.
    pub fn instead_of(&self, servers: Servers) -> Servers {
        Servers { postgres: url(self.relay.address, &self.password), ..servers }
    }

    /// Stops the primary immediately, lets the standby take its place, and gives that one a standby.
    pub fn fail_over(&mut self) {
        self.primary.stop();
        self.relay.redirect(self.standby.address);
        let mut connection = PgConnection::establish(&self.standby.url(&self.password)).expect("the standby answers");
        connection.batch_execute("SELECT pg_promote()").expect("a superuser may do this");
        let freed = self.primary.data.file_name().expect("a folder").to_string_lossy().into_owned();
        let data = self.primary.data.clone();
        fs::remove_dir_all(&data).expect("the data of the old primary");
        let standby = self.standby.standby(&self.programs, self.folder.path(), &freed, &self.password);
        self.primary = std::mem::replace(&mut self.standby, standby);
    }
}

impl Server {
    fn start(programs: &Path, folder: &Path, data: PathBuf, password: &str) -> Self {
        let address = free_address();
        let process = as_postgres(&programs.join("postgres"), folder)
            .arg("-D")
            .arg(&data)
            .args(["-p", &address.port().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("PostgreSQL is installed");
        let mut server = Self { data, address, process };
        let url = server.url(password);
        wait_until(|| {
            let ended = server.process.try_wait().expect("our own child can be waited for");
            assert!(ended.is_none(), "PostgreSQL ended before it answered: {ended:?}");
            PgConnection::establish(&url).is_ok()
        });
        server
    }

    /// Starts a standby of this server, and waits until commits wait for it.
    fn standby(&self, programs: &Path, folder: &Path, name: &str, password: &str) -> Self {
        let data = folder.join(name);
        let mut copy = as_postgres(&programs.join("pg_basebackup"), folder);
        copy.arg("-D").arg(&data).args(["-R", "-X", "stream", "-c", "fast", "--no-sync"]);
        run(copy.args(["-d", &self.url(password)]));
        let standby = Self::start(programs, folder, data, password);
        let followers = "pg_stat_replication WHERE sync_state = 'sync'";
        wait_until(|| count(&self.url(password), followers) == 1);
        standby
    }

    fn url(&self, password: &str) -> String {
        url(self.address, password)
    }

    // SIGQUIT, because after SIGKILL its sessions would live on for a moment.
    fn stop(&mut self) {
        signal(self.process.id(), "QUIT");
        self.process.wait().expect("our own child can be waited for");
    }
}

impl Drop for PostgresPair {
    fn drop(&mut self) {
        self.standby.stop();
        self.primary.stop();
    }
}

fn url(address: SocketAddr, password: &str) -> String {
    format!("postgres://postgres:{password}@{address}/postgres")
}

/// The folder of the newest PostgreSQL in Debian, which is not on the PATH; elsewhere the PATH is searched.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let number = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    versions.map(|entry| entry.path()).max_by_key(number).map(|folder| folder.join("bin")).unwrap_or_default()
}

/// PostgreSQL does not run as root.
fn as_postgres(program: &Path, folder: &Path) -> Command {
    let mut command = if geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program is installed");
    assert!(output.status.success(), "{command:?}: {output:?}");
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "PostgreSQL is not ready after {PATIENCE:?}");
        std::thread::sleep(PAUSE);
    }
}
