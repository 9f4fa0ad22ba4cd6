//! A peer in its own process, so that its processor time is counted separately.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, Result};

/// This program with a hidden subcommand; killed when dropped.
pub struct PeerProcess {
    pub address: SocketAddr,
    process: Child,
}

impl PeerProcess {
    /// Starts the peer and reads its address from its first line of output.
    pub fn start(subcommand: &str, argument: &Path) -> Result<Self> {
        let program = std::env::current_exe()?;
        let mut process = Command::new(program).arg(subcommand).arg(argument).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("the peer has no output")?).read_line(&mut line)?;
        Ok(Self { address: line.trim().parse()?, process })
    }

    pub fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
