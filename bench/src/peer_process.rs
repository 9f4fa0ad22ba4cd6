//! A peer in a process of its own, so that its processor time is counted apart.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result};

/// This very program with a hidden subcommand that serves; killed when dropped.
pub struct PeerProcess {
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
}

impl PeerProcess {
    /// Starts it and reads its address, the first line that it prints.
    pub fn start(subcommand: &str, argument: &Path) -> Result<Self> {
        let program = std::env::current_exe()?;
        let mut process = Command::new(program).arg(subcommand).arg(argument).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("the peer has no output")?).read_line(&mut line)?;
        Ok(Self { address: line.trim().parse()?, process })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // Already gone is as good as killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
