//! Raw HTTP over TCP: sends bytes that no client library would send, and reads one answer.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::response::Response;

/// Sends bytes on a new connection and reads one answer. `has_body` is false for HEAD.
pub(crate) async fn exchange(address: SocketAddr, bytes: &[u8], has_body: bool) -> std::io::Result<Response> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    // A write error is expected: a server that refuses an endless body closes before reading all of it.
    let written = stream.write_all(bytes).await;
    match read(&mut stream, has_body).await {
        Ok(response) => Ok(response),
        // The write error came first and explains the missing answer.
        Err(error) => Err(written.err().unwrap_or(error)),
    }
}

async fn read(stream: &mut TcpStream, has_body: bool) -> std::io::Result<Response> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        more(stream, &mut bytes).await?;
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let status: u16 = status.ok_or_else(|| broken("no status line"))?;
    let mut headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    // The order of headers has no meaning and differs between answers.
    headers.sort();
    let length = match headers.iter().find(|(name, _)| name == "content-length") {
        _ if !has_body || status == 204 || status == 304 => 0,
        Some((_, length)) => length.parse().map_err(|_| broken("a content-length that is no number"))?,
        // Services always send a length; chunked answers would be a regression.
        None => return Err(broken("an answer without content-length")),
    };
    while bytes.len() < head + length {
        more(stream, &mut bytes).await?;
    }
    Ok(Response::new(status, headers, bytes.split_off(head)))
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    if stream.read_buf(bytes).await? == 0 { Err(broken("closed before the answer's end")) } else { Ok(()) }
}

fn broken(what: &str) -> std::io::Error {
    std::io::Error::other(what)
}
