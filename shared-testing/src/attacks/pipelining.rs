//! Requests upon requests whose answers nobody reads.

use std::{net::SocketAddr, time::Duration};

use futures_util::future::join_all;
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, sleep, timeout_at},
};

/// Sends the smallest requests on so many connections for so long, as fast as the service takes them, and reads nothing.
/// Returns the bytes that were taken.
pub async fn pipelining(address: SocketAddr, connections: usize, length: Duration) -> u64 {
    let until = Instant::now() + length;
    join_all((0..connections).map(|_| connection(address, until))).await.into_iter().sum()
}

async fn connection(address: SocketAddr, until: Instant) -> u64 {
    let requests = b"GET /n HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200);
    let mut taken = 0;
    while Instant::now() < until {
        let Ok(mut stream) = TcpStream::connect(address).await else {
            sleep(Duration::from_millis(10)).await;
            continue;
        };
        let mut at = 0;
        // An error is a service that hangs up: the next connection goes on.
        while let Ok(Ok(count @ 1..)) = timeout_at(until, stream.write(&requests[at..])).await {
            taken += count as u64;
            at = (at + count) % requests.len();
        }
    }
    taken
}
