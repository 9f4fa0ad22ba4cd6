//! TLS handshakes that begin and do not go on.

use std::{collections::VecDeque, net::SocketAddr, time::Duration};

use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, MissedTickBehavior, interval},
};

/// The beginning of a record with a client's hello of 512 bytes, of which none comes.
const BEGINNING: [u8; 5] = [0x16, 3, 1, 2, 0];

/// Seconds for which a handshake is held: more than any service waits.
const HELD: usize = 10;

/// Begins so many handshakes a second for so long and holds each for ten seconds. Returns how many began.
pub async fn unfinished_handshakes(address: SocketAddr, each_second: u32, length: Duration) -> usize {
    let until = Instant::now() + length;
    let mut ticks = interval(Duration::from_secs(1) / each_second);
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
            if held.len() > most {
                held.pop_front();
            }
        }
    }
    begun
}
