//! Ports of the stack: a base and fixed offsets, or free ports that the next start uses again.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr, TcpListener},
};

use serde::{Deserialize, Serialize};

use crate::{
    data_folder::DataFolder,
    error::{StackError, cannot},
    service_name::ServiceName,
};

const REMEMBERED: &str = "ports.json";
// Below the range that systems use for outgoing connections (32 768 and up). Such a connection could take a port
// between the check and the start of its service.
const FIRST_FREE: u16 = 20_000;
// 750 blocks of 16 ports. A stack needs at most 14, so parallel stacks start in different blocks.
const FREE_RANGE: u16 = 12_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ports {
    pub issuer: u16,
    /// For a receiver of webhooks that somebody tries. The stack does not listen here.
    #[serde(default)]
    pub receiver: u16,
    pub services: BTreeMap<ServiceName, ServicePorts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServicePorts {
    pub api: u16,
    /// Operator endpoints.
    pub ops: u16,
    pub tls: u16,
}

pub fn issuer_url(port: u16) -> String {
    format!("http://{}", loopback(port))
}

/// 127.0.0.1, so that other machines cannot connect.
pub fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

impl Ports {
    /// Ports for `--port-base`, all free at this moment.
    pub fn choose(folder: &DataFolder, base: u16) -> Result<Self, StackError> {
        if base == 0 {
            return Self::free(folder);
        }
        // Check all ports before starting: one message names every conflict.
        let ports = Self::above(base);
        let taken: Vec<String> =
            ports.named().filter_map(|(what, port)| Some(format!("{port} ({what}): {}", probe(port).err()?))).collect();
        if taken.is_empty() {
            return Ok(ports);
        }
        Err(StackError::new(format!(
            "cannot listen on port {}\nStop what listens there, or choose other ports with --port-base N (0 takes free ones).",
            taken.join(", ")
        )))
    }

    fn above(base: u16) -> Self {
        let service = |service: ServiceName| {
            let api = base + service.port_offset();
            (service, ServicePorts { api, ops: api + 100, tls: api + 400 })
        };
        Self { issuer: base, receiver: base + 9, services: ServiceName::ALL.map(service).into() }
    }

    /// Free ports, preferably those of the last start: tokens and links contain them.
    fn free(folder: &DataFolder) -> Result<Self, StackError> {
        let remembered = match folder.read(REMEMBERED)? {
            Some(text) => serde_json::from_str(&text).map_err(cannot(format!("read {REMEMBERED}")))?,
            // Port 0 is never free, so all ports are chosen again.
            None => Self { issuer: 0, receiver: 0, services: BTreeMap::new() },
        };
        // Listeners stay open until all ports are chosen, so that none is chosen twice.
        let mut held = Vec::new();
        // Parallel stacks have different process ids, so they start their search at different ports.
        let start = (std::process::id() % 750) as u16 * 16;
        let mut candidates = (0..FREE_RANGE).map(|step| FIRST_FREE + (start + step) % FREE_RANGE);
        let mut take = |remembered: u16| -> Result<u16, StackError> {
            let free = |port: u16| Some((port, (port != 0).then(|| probe(port).ok()).flatten()?));
            let found = free(remembered).or_else(|| candidates.find_map(free));
            let (port, listener) = found.ok_or_else(|| StackError::new("no port is free from 20000 to 31999"))?;
            held.push(listener);
            Ok(port)
        };
        let issuer = take(remembered.issuer)?;
        let mut services = BTreeMap::new();
        for service in ServiceName::ALL {
            let old = remembered.services.get(&service).copied().unwrap_or_default();
            services.insert(service, ServicePorts { api: take(old.api)?, ops: take(old.ops)?, tls: take(old.tls)? });
        }
        let ports = Self { issuer, receiver: take(remembered.receiver)?, services };
        let text = serde_json::to_string_pretty(&ports).map_err(cannot("write the chosen ports"))?;
        folder.write(REMEMBERED, &text)?;
        Ok(ports)
    }

    fn named(&self) -> impl Iterator<Item = (String, u16)> {
        let services = self.services.iter().flat_map(|(service, ports)| {
            let name = service.as_str();
            [(name.to_owned(), ports.api), (format!("{name} ops"), ports.ops), (format!("{name} TLS"), ports.tls)]
        });
        [("issuer".to_owned(), self.issuer)].into_iter().chain(services)
    }
}

fn probe(port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind(loopback(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, DataFolder) {
        let root = tempfile::tempdir().expect("a folder");
        let folder = DataFolder::make(root.path()).expect("a data folder");
        (root, folder)
    }

    #[test]
    fn free_ports_are_all_different_and_the_same_after_a_restart() {
        let (_root, folder) = folder();
        let first = Ports::choose(&folder, 0).expect("free ports");
        let mut numbers: Vec<u16> = first.named().map(|(_, port)| port).chain([first.receiver]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 14);
        assert_eq!(Ports::choose(&folder, 0).expect("free ports"), first);
    }

    #[test]
    fn a_taken_port_is_named_with_its_owner() {
        let (_root, folder) = folder();
        let taken = probe(0).expect("a free port");
        let port = taken.local_addr().expect("bound").port();
        let message = Ports::choose(&folder, port - 2).expect_err("taken").to_string();
        assert!(message.contains(&format!("{port} (cloud)")), "{message}");
        assert!(message.contains("--port-base"), "{message}");
    }
}
