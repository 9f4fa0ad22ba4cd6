//! A cheap webhook endpoint: answers challenges and counts events.

use std::{
    net::{SocketAddr, TcpListener as StdListener},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use anyhow::{Context as _, Result};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::Instant,
};

/// Runs in its own thread.
pub struct Receiver {
    pub address: SocketAddr,
    heard: Arc<Heard>,
}

#[derive(Default)]
struct Heard {
    count: AtomicU64,
    /// The last event, head and body.
    last: Mutex<Vec<u8>>,
    /// Times of the first and the last event.
    span: Mutex<Option<(Instant, Instant)>>,
}

impl Receiver {
    pub fn start() -> Result<Self> {
        let listener = StdListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let heard = Arc::new(Heard::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let by = Arc::clone(&heard);
        thread::spawn(move || runtime.block_on(serve(listener, by)));
        Ok(Self { address, heard })
    }

    pub fn count(&self) -> u64 {
        self.heard.count.load(Ordering::Relaxed)
    }

    /// Times of the first and the last event since the previous call.
    pub fn take_span(&self) -> Result<(Instant, Instant)> {
        let mut span = self.heard.span.lock().map_err(|_| anyhow::anyhow!("the receiver panicked"))?;
        span.take().context("no event has come")
    }

    /// Head and body of the last event.
    pub fn last(&self) -> Result<Vec<u8>> {
        Ok(self.heard.last.lock().map_err(|_| anyhow::anyhow!("the receiver panicked"))?.clone())
    }
}

async fn serve(listener: StdListener, heard: Arc<Heard>) -> Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        let heard = Arc::clone(&heard);
        tokio::spawn(async move {
            // Errors are ignored: events of a broken connection are sent again.
            let _ = receive(stream, &heard).await;
        });
    }
}

/// Answers requests until the peer closes the connection.
async fn receive(mut stream: TcpStream, heard: &Heard) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut request = Vec::with_capacity(4096);
    loop {
        request.clear();
        let (head, end) = loop {
            if stream.read_buf(&mut request).await? == 0 {
                return Ok(());
            }
            if let Some(ends) = ends(&request)?
                && request.len() >= ends.1
            {
                break ends;
            }
        };
        let challenge = challenge(&request[head..end]);
        if challenge.is_none() {
            let now = Instant::now();
            heard.count.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut span) = heard.span.lock() {
                *span = Some((span.map_or(now, |(first, _)| first), now));
            }
            if let Ok(mut last) = heard.last.lock() {
                last.clone_from(&request);
            }
        }
        let body = challenge.unwrap_or_default();
        // No date, no server name: the endpoint should cost as little as possible.
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes()).await?;
    }
}

/// Positions of the body's start and end, once the head is complete.
fn ends(request: &[u8]) -> Result<Option<(usize, usize)>> {
    let Some(head) = request.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let text = std::str::from_utf8(&request[..head])?.to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no length")?;
    Ok(Some((head + 4, head + 4 + length.trim().parse::<usize>()?)))
}

fn challenge(body: &[u8]) -> Option<String> {
    let is_challenge = body.windows(20).any(|window| window == b"webhook.verification");
    let message: Option<serde_json::Value> = is_challenge.then(|| serde_json::from_slice(body).ok()).flatten();
    Some(message?["data"]["challenge"].as_str()?.to_owned())
}
