//! TLS handshakes that begin and do not go on.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, MissedTickBehavior, interval},
};

/// The beginning of a record with a client's hello of 512 bytes, of which none comes.
const BEGINNING: [u8; 5] = [0x16, 3, 1, 2, 0];

/// Begins so many handshakes a second for so long and holds them open. Returns how many began.
pub async fn unfinished_handshakes(address: SocketAddr, each_second: u32, length: Duration) -> usize {
    let until = Instant::now() + length;
    let mut ticks = interval(Duration::from_secs(1) / each_second);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut held = Vec::new();
    while Instant::now() < until {
        ticks.tick().await;
        if let Ok(mut stream) = TcpStream::connect(address).await
            && stream.write_all(&BEGINNING).await.is_ok()
        {
            held.push(stream);
        }
    }
    held.len()
}
