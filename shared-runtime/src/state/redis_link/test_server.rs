//! A real `redis-server` that a test starts, kills, freezes, flushes and restarts.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

use shared_testing::free_address;
use tempfile::TempDir;

use super::{RedisLink, RedisSettings};
use crate::base::clock::Clock;

/// On a free port of this machine, without persistence.
pub struct RedisServer {
    port: u16,
    directory: TempDir,
    options: Vec<String>,
    child: Child,
}

impl RedisServer {
    pub fn start() -> Self {
        Self::with(Vec::new())
    }

    /// With additional command-line options.
    pub fn with(options: Vec<String>) -> Self {
        let directory = tempfile::tempdir().expect("a folder");
        let port = free_address().port();
        let child = Self::spawn(port, &directory, &options);
        Self { port, directory, options, child }
    }

    fn spawn(port: u16, directory: &TempDir, options: &[String]) -> Child {
        let mut child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(directory.path())
            .args(options)
            .stdout(Stdio::null())
            .spawn()
            .expect("these tests need redis-server on the PATH (Debian: apt-get install redis-server)");
        while say(port, "PING").is_none_or(|answer| !answer.starts_with("+PONG")) {
            assert!(
                child.try_wait().expect("our own child").is_none(),
                "redis-server ended at once; is port {port} taken?"
            );
            std::thread::yield_now();
        }
        child
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("our own child");
        self.child.wait().expect("our own child");
    }

    pub fn restart(&mut self) {
        self.child = Self::spawn(self.port, &self.directory, &self.options);
    }

    pub fn signal(&self, signal: &str) {
        let done = Command::new("kill").args([signal, &self.child.id().to_string()]).status().expect("kill is there");
        assert!(done.success());
    }

    pub fn say(&self, command: &str) -> String {
        say(self.port, command).expect("Redis answers")
    }

    pub fn settings(&self) -> RedisSettings {
        RedisSettings::at(format!("redis://127.0.0.1:{}/", self.port))
    }

    pub fn link(&self, clock: &Clock) -> RedisLink {
        link(&self.settings(), clock)
    }
}

/// With a timeout that is long enough when other tests keep the machine busy.
pub fn link(settings: &RedisSettings, clock: &Clock) -> RedisLink {
    RedisLink::with_call_timeout(settings, clock.clone(), Duration::from_secs(20)).expect("a URL of Redis")
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // An error when the test has killed it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn say(port: u16, command: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(format!("{command}\r\n").as_bytes()).ok()?;
    let mut answer = [0; 512];
    let length = stream.read(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer[..length]).into_owned())
}
