//! A cheap load generator: prepared bytes over keep-alive connections; answers are delimited by Content-Length.

use std::{cell::RefCell, net::SocketAddr, rc::Rc, time::Duration};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use hdrhistogram::Histogram;
use shared_testing::servers::Servers;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::LocalSet,
    time::Instant,
};

use crate::process;

#[derive(Args, Clone)]
pub struct Load {
    /// Seconds of each round
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Rounds of each side; the sides take turns, so that noise affects both
    #[arg(long, default_value_t = 3)]
    pub rounds: u32,
    /// Connections, each with one request at a time
    #[arg(long, default_value_t = 32)]
    pub connections: usize,
    /// Admin URL of a PostgreSQL server for a temporary database (with --redis)
    #[arg(long, requires = "redis")]
    pub postgres: Option<String>,
    /// URL of a Redis server; keys are added, none removed
    #[arg(long, requires = "postgres")]
    pub redis: Option<String>,
    /// Seconds under load after the last round, for a profiler
    #[arg(long, default_value_t = 0)]
    pub profile_seconds: u64,
}

impl Load {
    pub fn round(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Servers for the databases; `None` means SQLite.
    pub fn servers(&self) -> Option<Servers> {
        let (postgres, redis) = (self.postgres.clone()?, self.redis.clone()?);
        Some(Servers { postgres, redis, is_shared: true })
    }

    /// Databases of the service, for the report.
    pub fn ground(&self) -> &'static str {
        if self.postgres.is_some() { "PostgreSQL + Redis" } else { "embedded (SQLite, local counters)" }
    }
}

/// A process under load.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub address: SocketAddr,
    /// Process whose processor time is counted.
    pub pid: u32,
}

/// Sum of one or more rounds.
pub struct Measured {
    pub answers: u64,
    pub elapsed: Duration,
    /// In microseconds.
    pub latencies: Histogram<u64>,
    /// Processor time of the server processes.
    pub processor: Duration,
    /// A request and its answer, for the ceiling.
    pub sample: Option<Exchange>,
}

/// The bytes of a request and of its answer.
#[derive(Clone)]
pub struct Exchange {
    pub request: Vec<u8>,
    pub answer: Vec<u8>,
}

impl Measured {
    pub fn nothing() -> Result<Self> {
        let latencies = Histogram::new_with_bounds(1, 60_000_000, 3)?;
        Ok(Self { answers: 0, elapsed: Duration::ZERO, latencies, processor: Duration::ZERO, sample: None })
    }

    pub fn add(&mut self, other: &Self) -> Result<()> {
        self.answers += other.answers;
        self.elapsed += other.elapsed;
        self.processor += other.processor;
        self.latencies.add(&other.latencies)?;
        self.sample.clone_from(&other.sample);
        Ok(())
    }

    pub fn rate(&self) -> f64 {
        self.answers as f64 / self.elapsed.as_secs_f64()
    }

    /// Processor time of the server per answer, in microseconds.
    pub fn processor_micros(&self) -> f64 {
        self.processor.as_secs_f64() * 1e6 / self.answers.max(1) as f64
    }
}

/// Sends requests over `connections` connections, spread over the targets, one at a time on each. `next` writes the
/// next request. Fails on any status but 200: refusals are fast and would distort the result.
pub async fn run(
    targets: &[Target],
    connections: usize,
    round: Duration,
    next: impl FnMut(&mut Vec<u8>) + 'static,
) -> Result<Measured> {
    run_paced(targets, connections, round, Duration::ZERO, next).await
}

// The same, with at least `pace` between requests of a connection. Connections start staggered: if all sent at once,
// they would measure their own queue.
pub async fn run_paced(
    targets: &[Target],
    connections: usize,
    round: Duration,
    apart: Duration,
    next: impl FnMut(&mut Vec<u8>) + 'static,
) -> Result<Measured> {
    let next = Rc::new(RefCell::new(next));
    let mut measured = Measured::nothing()?;
    let before = processor_time(targets)?;
    let begun = Instant::now();
    // One thread: the generator must leave the other processors to the service.
    let set = LocalSet::new();
    let tasks: Vec<_> = targets
        .iter()
        .cycle()
        .take(connections)
        .zip(0_u32..)
        .map(|(target, index)| {
            let (next, address) = (Rc::clone(&next), target.address);
            let first = begun + apart.mul_f64(f64::from(index) / connections as f64);
            set.spawn_local(async move { connection(address, first, begun + round, apart, &next).await })
        })
        .collect();
    set.run_until(async {
        for task in tasks {
            let (latencies, sample) = task.await??;
            measured.answers += latencies.len();
            measured.latencies.add(&latencies)?;
            measured.sample = Some(sample);
        }
        anyhow::Ok(())
    })
    .await?;
    measured.elapsed = begun.elapsed();
    measured.processor = processor_time(targets)?.saturating_sub(before);
    Ok(measured)
}

fn processor_time(targets: &[Target]) -> Result<Duration> {
    targets.iter().map(|target| process::processor_time(target.pid)).sum()
}

async fn connection(
    address: SocketAddr,
    first: Instant,
    until: Instant,
    apart: Duration,
    next: &RefCell<impl FnMut(&mut Vec<u8>)>,
) -> Result<(Histogram<u64>, Exchange)> {
    let mut stream = TcpStream::connect(address).await?;
    // Otherwise the kernel delays small requests, up to 40 ms.
    stream.set_nodelay(true)?;
    // From 1 µs to a minute, with three significant digits.
    let mut latencies = Histogram::new_with_bounds(1, 60_000_000, 3)?;
    let (mut request, mut answer) = (Vec::new(), Vec::with_capacity(16 * 1024));
    tokio::time::sleep_until(first).await;
    let mut begun = first;
    while begun < until {
        request.clear();
        (next.borrow_mut())(&mut request);
        begun = Instant::now();
        exchange(&mut stream, &request, &mut answer).await?;
        let micros = u64::try_from(begun.elapsed().as_micros())?;
        // The histogram has no zero.
        latencies.record(micros.max(1))?;
        // A sleep lasts until the next millisecond of the timer, even if its time has come: without a pace there is none.
        if !apart.is_zero() {
            // From the start of the request, not from its end: the rate must not depend on the speed of the server.
            tokio::time::sleep_until(begun + apart).await;
        }
    }
    Ok((latencies, Exchange { request, answer }))
}

/// Sends one request and reads its answer.
pub async fn exchange(stream: &mut TcpStream, request: &[u8], answer: &mut Vec<u8>) -> Result<()> {
    stream.write_all(request).await?;
    receive(stream, answer).await
}

async fn receive(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<()> {
    answer.clear();
    let mut whole = None;
    while whole.is_none_or(|whole| answer.len() < whole) {
        if stream.read_buf(answer).await? == 0 {
            bail!("the server closed a connection");
        }
        if whole.is_none() {
            whole = length(answer)?;
        }
    }
    if answer.get(9..12) == Some(b"200") {
        return Ok(());
    }
    Err(anyhow!("not 200: {}", String::from_utf8_lossy(answer)))
}

/// Length of head and body, once the head is complete.
fn length(answer: &[u8]) -> Result<Option<usize>> {
    const NAME: &[u8] = b"\r\ncontent-length: ";
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let named = answer[..head].windows(NAME.len()).position(|window| window == NAME);
    let value = &answer[named.context("an answer without content-length")? + NAME.len()..];
    let digits = value.split(|byte| *byte == b'\r').next().unwrap_or_default();
    Ok(Some(head + 4 + std::str::from_utf8(digits)?.parse::<usize>()?))
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering},
        },
        thread,
    };

    use tokio::net::TcpListener;

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\n\r\n";
    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

    /// A server that waits `delay` before each answer, and the count of its answers.
    fn server(delay: Duration) -> (SocketAddr, Arc<AtomicU64>) {
        let answers = Arc::new(AtomicU64::new(0));
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        listener.set_nonblocking(true).expect("nonblocking");
        let address = listener.local_addr().expect("an address");
        let counted = Arc::clone(&answers);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(LocalSet::new().run_until(async move {
                let listener = TcpListener::from_std(listener).expect("a listener");
                while let Ok((mut stream, _)) = listener.accept().await {
                    let counted = Arc::clone(&counted);
                    tokio::task::spawn_local(async move {
                        let mut request = [0; REQUEST.len()];
                        while stream.read_exact(&mut request).await.is_ok() {
                            if !delay.is_zero() {
                                tokio::time::sleep(delay).await;
                            }
                            counted.fetch_add(1, Ordering::Relaxed);
                            stream.write_all(ANSWER).await.expect("the generator reads");
                        }
                    });
                }
            }));
        });
        (address, answers)
    }

    async fn measured(address: SocketAddr, connections: usize, length: Duration) -> Measured {
        let target = Target { address, pid: std::process::id() };
        run(&[target], connections, length, |next| next.extend_from_slice(REQUEST)).await.expect("answers")
    }

    #[tokio::test]
    async fn the_rate_is_that_of_a_server_of_known_speed() {
        let (delay, connections) = (Duration::from_millis(20), 8);
        let (address, answers) = server(delay);
        let measured = measured(address, connections, Duration::from_millis(400)).await;
        assert_eq!(measured.answers, answers.load(Ordering::Relaxed));
        assert!(measured.rate() <= connections as f64 / delay.as_secs_f64(), "{}", measured.rate());
        assert!(u128::from(measured.latencies.min()) >= delay.as_micros() - 20, "{}", measured.latencies.min());
    }

    // A generator that waits for the next millisecond of the timer sends at most one request a millisecond on each
    // connection.
    #[tokio::test]
    async fn nothing_waits_between_requests_without_a_pace() {
        let (address, _) = server(Duration::ZERO);
        let measured = measured(address, 1, Duration::from_millis(400)).await;
        let millis = measured.elapsed.as_millis();
        assert!(u128::from(measured.answers) > 2 * millis, "{} answers in {millis} ms", measured.answers);
    }
}
