//! Requests that are begun on many connections and hardly move on.

use std::{cell::Cell, net::SocketAddr, time::Duration};

use futures_util::future::join_all;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::{Instant, sleep, sleep_until, timeout_at},
};

/// What a connection does once its request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Waits for an answer, and begins again some seconds later.
    Repeats,
    /// Leaves the answer unread, until the attack is over.
    ReadsNothing,
}

/// Counts of an attack.
#[derive(Default)]
pub struct Stalled {
    /// Connections that were open at the end. One that reads nothing counts only if its unread answer is 200: a
    /// refused attacker holds nothing.
    pub open: u64,
    /// Answers with 429.
    pub refused: u64,
}

// Otherwise the client's kernel would take whole answers.
const RECEIVE_BUFFER: u32 = 4 * 1024;
const PAUSE: Duration = Duration::from_secs(5);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Sends `request`, whole or not, on each of `connections` connections, which all begin within a quarter of `length`.
pub async fn stalling(
    address: SocketAddr,
    request: &[u8],
    connections: u32,
    afterwards: Afterwards,
    length: Duration,
) -> Stalled {
    let (begun, refused) = (Instant::now(), Cell::new(0));
    let until = begun + length;
    let connection = async |number: u32| {
        sleep_until(begun + length / 4 * number / connections).await;
        let mut is_open = false;
        while Instant::now() < until {
            let Ok(Ok(mut stream)) = timeout_at(until, connect(address)).await else { break };
            if afterwards == Afterwards::ReadsNothing {
                let beginning = timeout_at(until, beginning(&mut stream, request)).await.unwrap_or_default();
                is_open = beginning == *b"HTTP/1.1 200";
                refused.set(refused.get() + u64::from(beginning == *b"HTTP/1.1 429"));
                sleep_until(until).await;
                continue;
            }
            is_open = true;
            if let Ok(answer) = timeout_at(until, ask(&mut stream, request)).await {
                is_open = false;
                refused.set(refused.get() + u64::from(answer.starts_with(b"HTTP/1.1 429")));
                sleep(PAUSE).await;
            }
        }
        is_open
    };
    let open = join_all((0..connections).map(connection)).await;
    Stalled { open: open.into_iter().map(u64::from).sum(), refused: refused.get() }
}

async fn connect(address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
    socket.connect(address).await
}

/// The beginning of the answer, which stays in the socket; zeros if there is none.
async fn beginning(stream: &mut TcpStream, request: &[u8]) -> [u8; 12] {
    let mut beginning = [0; 12];
    if stream.write_all(request).await.is_ok() {
        // An error or an end is not an answer, either.
        while let Ok(1..12) = stream.peek(&mut beginning).await {
            sleep(BETWEEN_LOOKS).await;
        }
    }
    beginning
}

/// The beginning of the answer; empty if there is none.
async fn ask(stream: &mut TcpStream, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    if stream.write_all(request).await.is_ok() {
        // An error is not an answer, either.
        let _ = stream.read_buf(&mut answer).await;
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::hostile_server::{HostileServer, answer};

    /// What three connections count that leave answers with this status unread.
    async fn counted(status: u16) -> (u64, u64) {
        let server = HostileServer::http(move |stream, _| stream.write_all(answer(status, "", "").as_bytes()));
        let request = b"GET / HTTP/1.1\r\n\r\n";
        let stalled = stalling(server.address, request, 3, Afterwards::ReadsNothing, Duration::from_secs(2)).await;
        (stalled.open, stalled.refused)
    }

    #[tokio::test]
    async fn only_answers_with_200_are_held() {
        assert_eq!(tokio::join!(counted(200), counted(404), counted(429)), ((3, 0), (0, 0), (0, 3)));
    }
}
