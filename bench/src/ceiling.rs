//! The ceiling of a load generator. It is the rate against a server that only returns prepared bytes. For threads it is
//! the rate that they would have if they never waited.

use std::{fs, path::Path, thread::available_parallelism, time::Duration};

use anyhow::{Context as _, Result, ensure};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    load::{self, Exchange, Load, Measured, Target},
    peer_process::PeerProcess,
    report,
};

/// A subject above this share of the ceiling may be faster than the generator can tell.
const SHARE: f64 = 0.8;

/// What the generator can do in a second, in the unit of the rates compared with it.
pub struct Ceiling(f64);

impl Ceiling {
    pub fn of(measured: &Measured) -> Self {
        Self(measured.rate())
    }

    /// Of threads that wait while they are not busy. `busy` is the processor time of all in `elapsed`.
    pub fn of_threads(rate: f64, threads: usize, elapsed: Duration, busy: Duration) -> Result<Self> {
        let processors = threads.min(available_parallelism()?.get());
        Ok(Self(rate * elapsed.as_secs_f64() * processors as f64 / busy.as_secs_f64()))
    }

    pub fn rate(&self) -> f64 {
        self.0
    }

    /// Whether the rate of a side may be the generator's: then the side can do this much, or more.
    pub fn holds_back(&self, rate: f64) -> bool {
        rate > SHARE * self.0
    }

    /// Fails if it may hold the subject back.
    pub fn check(&self, subject: f64) -> Result<()> {
        ensure!(
            !self.holds_back(subject),
            "the rate is within {:.0} % of what the generator can do: give it a processor of its own, or more of them",
            100.0 * (1.0 - SHARE)
        );
        Ok(())
    }
}

/// Measures the ceiling with the bytes that the subject has received and sent, and prints it. Fails if it may hold the
/// subject back. A peer of the subject may be held back, which makes their ratio an upper bound.
pub async fn check(load: &Load, subject: &Measured) -> Result<Ceiling> {
    let exchange = subject.sample.clone().context("no request was sent")?;
    let server = echo(&exchange)?;
    let target = Target { address: server.address, pid: server.pid() };
    let request = exchange.request;
    let next = move |bytes: &mut Vec<u8>| bytes.extend_from_slice(&request);
    let measured = load::run(&[target], load.connections, load.round(), next).await?;
    report::line("ceiling of the generator", &measured);
    let ceiling = Ceiling::of(&measured);
    ceiling.check(subject.rate())?;
    Ok(ceiling)
}

/// A server that returns the answer of this exchange after each request of its length.
pub fn echo(exchange: &Exchange) -> Result<PeerProcess> {
    let file = tempfile::NamedTempFile::new()?;
    fs::write(&file, [format!("{}\n", exchange.request.len()).as_bytes(), &exchange.answer].concat())?;
    PeerProcess::start("echo", file.path())
}

/// Returns the prepared bytes after each request of the prepared length. Serves until killed; prints its address as the
/// first line.
pub fn serve(file: &Path) -> Result<()> {
    let bytes = fs::read(file)?;
    let end = bytes.iter().position(|byte| *byte == b'\n').context("no line with the length of a request")?;
    let request: usize = str::from_utf8(&bytes[..end])?.parse()?;
    // It lives as long as the process.
    let answer: &'static [u8] = bytes[end + 1..].to_vec().leak();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async move {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        println!("{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            tokio::task::spawn_local(answer_all(stream, request, answer));
        }
    })
}

async fn answer_all(mut stream: TcpStream, request: usize, answer: &[u8]) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; request];
    loop {
        stream.read_exact(&mut buffer).await?;
        stream.write_all(answer).await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_may_be_held_back_and_the_subject_may_not() {
        let ceiling = Ceiling(100_000.0);
        let (subject, peer) = (80_000.0, 90_000.0);
        assert!(ceiling.check(subject).is_ok() && !ceiling.holds_back(subject));
        assert!(ceiling.check(peer).is_err() && ceiling.holds_back(peer));
    }

    #[test]
    fn a_thread_that_is_busy_nearly_all_the_time_may_hold_the_subject_back() {
        let is_accepted = |busy| {
            let ceiling = Ceiling::of_threads(300.0, 1, Duration::from_secs(10), Duration::from_secs(busy));
            ceiling.expect("processors").check(300.0).is_ok()
        };
        assert!(is_accepted(0) && is_accepted(7) && !is_accepted(9));
    }
}
