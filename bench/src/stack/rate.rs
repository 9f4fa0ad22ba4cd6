//! The highest rate of reads.

use std::net::SocketAddr;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::caller::Caller;
use crate::load::{self, Target};

#[derive(Args)]
pub struct Rate {
    /// Replicas, as ADDRESS/PID
    #[arg(required = true, value_parser = target)]
    targets: Vec<Target>,
    #[command(flatten)]
    caller: Caller,
    /// Path to read
    #[arg(long)]
    path: String,
    /// Connections per replica, each with one request at a time
    #[arg(long, default_value_t = 8)]
    connections: usize,
}

fn target(text: &str) -> Result<Target, String> {
    let (address, pid) = text.split_once('/').ok_or("must be ADDRESS/PID")?;
    let address: SocketAddr = address.parse().map_err(|_| "must begin with an address and a port")?;
    Ok(Target { address, pid: pid.parse().map_err(|_| "must end with a process id")? })
}

impl Rate {
    pub async fn run(&self) -> Result<Value> {
        let request = format!(
            "GET {} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\nauthorization: Bearer {}\r\n\r\n",
            self.path,
            self.caller.token()?
        );
        let connections = self.connections * self.targets.len();
        let next = move |bytes: &mut Vec<u8>| bytes.extend_from_slice(request.as_bytes());
        let measured = load::run(&self.targets, connections, self.caller.length(), next).await?;
        Ok(json!({
            "replicas": self.targets.len(),
            "per_second": measured.rate().round(),
            "processor_micros": measured.processor_micros().round(),
            "p50_millis": measured.latencies.value_at_quantile(0.5) as f64 / 1e3,
            "p99_millis": measured.latencies.value_at_quantile(0.99) as f64 / 1e3,
        }))
    }
}
