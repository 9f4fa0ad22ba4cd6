//! A stack in a process of its own, on a folder and databases of its own.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;
use shared_testing::{database::Database, servers};
use tempfile::TempDir;

/// What `cargo run` runs.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_devstack");
/// A start takes a second or two; a machine that is busy with other tests may take longer.
const PATIENCE: Duration = Duration::from_secs(90);
/// The banner's last line but one.
const LAST: &str = "curl --cacert";

/// A folder that stacks run on, one after the other.
pub(crate) struct Scene {
    folder: TempDir,
    servers: Vec<String>,
    _database: Database,
}

/// A stack that runs.
pub(crate) struct Stack {
    process: Option<Child>,
    /// What it prints from then on.
    lines: Option<mpsc::Receiver<String>>,
    /// What it has printed when it is ready.
    pub(crate) banner: String,
    /// `stack.json`.
    pub(crate) manifest: Value,
}

impl Scene {
    /// Embedded, or on the servers that the run has.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let of_this_run = servers::of_this_run();
        let database = Database::fresh(of_this_run.as_ref(), folder.path());
        let servers = match &of_this_run {
            None => Vec::new(),
            Some(servers) => vec![
                "--postgres".to_owned(),
                database.url.clone(),
                "--redis".to_owned(),
                servers::fresh_redis(&servers.redis),
            ],
        };
        Self { folder, servers, _database: database }
    }

    /// The folder that is given as `--data`; it does not exist before the first start.
    pub(crate) fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data with a blank")
    }

    /// `cargo run -- --data … --port-base 0` with more arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_on(&self.data(), arguments)
    }

    /// The same on another folder.
    pub(crate) fn command_on(&self, data: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("--data").arg(data).args(["--port-base", "0"]).args(&self.servers).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).env_remove("RUST_LOG");
        command
    }

    /// Starts a stack and waits until it is ready.
    pub(crate) fn start(&self, arguments: &[&str]) -> Stack {
        self.run(self.command(arguments))
    }

    /// The same of a command that was changed.
    pub(crate) fn run(&self, mut command: Command) -> Stack {
        let mut process = command.spawn().expect("the stack's binary starts");
        let stdout = process.stdout.take().expect("stdout is a pipe");
        let mut stack = Stack { process: Some(process), lines: None, banner: String::new(), manifest: Value::Null };
        let (banner, lines) = ready(stdout);
        (stack.banner, stack.lines) = (banner, Some(lines));
        let manifest = std::fs::read(self.data().join("stack.json")).expect("stack.json is there when it is ready");
        stack.manifest = serde_json::from_slice(&manifest).expect("stack.json is JSON");
        stack
    }

    /// A token that the `token` command prints.
    pub(crate) fn token(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.token_command(arguments);
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("a token is ASCII").trim_end().to_owned()
    }

    /// What `cargo run -- token --data …` does with more arguments.
    pub(crate) fn token_command(&self, arguments: &[&str]) -> Output {
        self.prepared_token_command(arguments).output().expect("the stack's binary starts")
    }

    /// The command before it runs.
    pub(crate) fn prepared_token_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("token").arg("--data").arg(self.data()).args(arguments);
        command
    }
}

impl Stack {
    /// The text at a JSON pointer of `stack.json`.
    #[track_caller]
    pub(crate) fn text(&self, pointer: &str) -> &str {
        let value = self.manifest.pointer(pointer).and_then(Value::as_str);
        value.unwrap_or_else(|| panic!("no {pointer} in {:#}", self.manifest))
    }

    /// The file at a JSON pointer of `stack.json`.
    #[track_caller]
    pub(crate) fn file(&self, pointer: &str) -> &Path {
        Path::new(self.text(pointer))
    }

    /// Waits until it prints a line with all of this.
    #[track_caller]
    pub(crate) fn prints(&self, all: &[&str]) {
        let lines = self.lines.as_ref().expect("it is ready");
        loop {
            let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{all:?} is not printed: {error}"));
            if all.iter().all(|one| line.contains(one)) {
                return;
            }
        }
    }

    /// The lines that the banner offers to paste.
    pub(crate) fn curls(&self) -> Vec<&str> {
        self.pasted().filter(|line| !line.contains(" | cargo ")).collect()
    }

    /// Those of them that give what is answered to a program of ours.
    pub(crate) fn pipes(&self) -> Vec<&str> {
        self.pasted().filter(|line| line.contains(" | cargo ")).collect()
    }

    fn pasted(&self) -> impl Iterator<Item = &str> {
        self.banner.lines().map(str::trim).filter(|line| line.starts_with("curl "))
    }

    /// Sends a signal: `TERM`, `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.process.as_ref().expect("it runs").id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status().expect("kill is there");
        assert!(sent.success());
    }

    /// Waits until it has ended.
    pub(crate) fn ended(mut self) -> ExitStatus {
        let mut process = self.process.take().expect("it runs");
        process.wait().expect("our own child can be waited for")
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(self) -> ExitStatus {
        self.signal("TERM");
        self.ended()
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.kill().expect("our own child can be killed");
            process.wait().expect("our own child can be waited for");
        }
    }
}

/// Reads the banner to its end; fails the test when the stack ends or says nothing.
fn ready(stdout: ChildStdout) -> (String, mpsc::Receiver<String>) {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut banner = String::new();
    loop {
        let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("it is not ready ({error}):\n{banner}"));
        banner.push_str(&line);
        banner.push('\n');
        if line.trim_start().starts_with(LAST) {
            return (banner, lines);
        }
    }
}
