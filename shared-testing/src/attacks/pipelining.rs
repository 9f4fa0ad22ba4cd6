//! Pipelined requests without reading the answers.

use std::{net::SocketAddr, time::Duration};

use futures_util::future::join_all;
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, sleep, timeout_at},
};

/// Sends minimal requests on each connection as fast as the service takes them. Returns the number of bytes sent.
pub async fn pipelining(address: SocketAddr, connections: usize, length: Duration) -> u64 {
    let until = Instant::now() + length;
    join_all((0..connections).map(|_| connection(address, until))).await.into_iter().sum()
}

async fn connection(address: SocketAddr, until: Instant) -> u64 {
    // Many requests in one write, so that the attacker is not the bottleneck.
    let requests = b"GET /n HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200);
    let mut taken = 0;
    while Instant::now() < until {
        let Ok(mut stream) = TcpStream::connect(address).await else {
            // Refused: without a pause, this loop would take the processor from the service.
            sleep(Duration::from_millis(10)).await;
            continue;
        };
        let mut at = 0;
        // After an error the service has hung up: continue with a new connection.
        while let Ok(Ok(count @ 1..)) = timeout_at(until, stream.write(&requests[at..])).await {
            taken += count as u64;
            at = (at + count) % requests.len();
        }
    }
    taken
}
