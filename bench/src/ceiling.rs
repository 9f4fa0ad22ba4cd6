//! The ceiling of the load generator: its rate against a server that only returns prepared bytes.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    load::{self, Load, Measured, Target},
    peer_process::PeerProcess,
    report,
};

/// A subject above this share of the ceiling may be faster than the generator can tell.
const SHARE: f64 = 0.8;

/// What the generator can do, in requests a second.
pub struct Ceiling(f64);

impl Ceiling {
    /// Whether the rate of this side may be the generator's: then the side can do this much, or more.
    pub fn holds_back(&self, side: &Measured) -> bool {
        side.rate() > SHARE * self.0
    }

    fn check(&self, subject: &Measured) -> Result<()> {
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
    let file = tempfile::NamedTempFile::new()?;
    fs::write(&file, [format!("{}\n", exchange.request.len()).as_bytes(), &exchange.answer].concat())?;
    let server = PeerProcess::start("echo", file.path())?;
    let target = Target { address: server.address, pid: server.pid() };
    let request = exchange.request;
    let next = move |bytes: &mut Vec<u8>| bytes.extend_from_slice(&request);
    let measured = load::run(&[target], load.connections, load.round(), next).await?;
    report::line("ceiling of the generator", &measured);
    let ceiling = Ceiling(measured.rate());
    ceiling.check(subject)?;
    Ok(ceiling)
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
    use std::time::Duration;

    use super::*;

    fn side(rate: u64) -> Measured {
        Measured { answers: rate, elapsed: Duration::from_secs(1), ..Measured::nothing().expect("a histogram") }
    }

    #[test]
    fn a_peer_may_be_held_back_and_the_subject_may_not() {
        let ceiling = Ceiling(100_000.0);
        let (subject, peer) = (side(80_000), side(90_000));
        assert!(ceiling.check(&subject).is_ok() && !ceiling.holds_back(&subject));
        assert!(ceiling.check(&peer).is_err() && ceiling.holds_back(&peer));
    }
}
