//! Connections without requests.

use std::{net::SocketAddr, time::Duration};

use futures_util::{StreamExt as _, stream};
use tokio::{net::TcpStream, time::timeout};

/// Connections that close when this is dropped.
pub struct IdleConnections(Vec<TcpStream>);

impl IdleConnections {
    /// How many connections the service accepted.
    pub fn taken(&self) -> usize {
        self.0.len()
    }
}

pub async fn idle_connections(address: SocketAddr, count: usize) -> IdleConnections {
    let open = stream::iter(0..count).map(|_| timeout(Duration::from_secs(10), TcpStream::connect(address)));
    // Few at a time, because a full accept queue delays connections by seconds.
    let opened = open.buffer_unordered(16).filter_map(async |opened| opened.ok()?.ok());
    IdleConnections(opened.collect().await)
}
