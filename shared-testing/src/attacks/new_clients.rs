//! Sends requests one after the other, each on a new connection.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

// A client without an answer by then counts as one that waited this long.
const AT_MOST: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

/// Waiting times of the clients, in order.
pub struct NewClients(Vec<Duration>);

impl NewClients {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The time within which this share of the clients got an answer.
    pub fn quantile(&self, share: f64) -> Duration {
        let last = self.0.len().saturating_sub(1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an index"
        )]
        let at = (last as f64 * share).round() as usize;
        self.0.get(at).copied().unwrap_or(AT_MOST)
    }

    pub fn slowest(&self) -> Duration {
        self.quantile(1.0)
    }
}

/// Requests `path` with one client after the other until `length` is over; at least once.
pub async fn new_clients(address: SocketAddr, path: &str, length: Duration) -> NewClients {
    let until = Instant::now() + length;
    let mut waited = Vec::new();
    loop {
        let begun = Instant::now();
        let is_answered = timeout(AT_MOST, ask(address, path)).await.is_ok_and(|answer| answer.is_ok());
        waited.push(if is_answered { begun.elapsed() } else { AT_MOST });
        if Instant::now() >= until {
            break;
        }
        sleep(PAUSE).await;
    }
    waited.sort();
    NewClients(waited)
}

/// Reads one answer to its end. The status does not matter: a refusal is an answer too.
async fn ask(address: SocketAddr, path: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    if answer.starts_with(b"HTTP/1.1 ") { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}
