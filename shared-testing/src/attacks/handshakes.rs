//! TLS handshakes that begin and then stop.

use std::{collections::VecDeque, net::SocketAddr, time::Duration};

use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, MissedTickBehavior, interval},
};

// The header of a TLS record that announces a client hello of 512 bytes.
const BEGINNING: [u8; 5] = [0x16, 3, 1, 2, 0];

// Seconds; longer than any service waits, so that the service must hang up first.
const HELD: usize = 10;

/// Begins `each_second` handshakes per second. Returns how many began.
pub async fn unfinished_handshakes(address: SocketAddr, each_second: u32, length: Duration) -> usize {
    let until = Instant::now() + length;
    let mut ticks = interval(Duration::from_secs(1) / each_second);
    // The number of handshakes counts, not their spacing.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (mut begun, mut held) = (0, VecDeque::new());
    let most = usize::try_from(each_second).expect("a number of connections") * HELD;
    while Instant::now() < until {
        ticks.tick().await;
        if let Ok(mut stream) = TcpStream::connect(address).await
            && stream.write_all(&BEGINNING).await.is_ok()
        {
            begun += 1;
            held.push_back(stream);
            // Bounds this process's own descriptors.
            if held.len() > most {
                held.pop_front();
            }
        }
    }
    begun
}
