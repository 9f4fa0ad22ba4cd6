//! Which ports the stack listens on: a base and fixed distances from it, or free ones that a restart takes again.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr, TcpListener},
};

use serde::{Deserialize, Serialize};

use crate::{
    error::{StackError, cannot},
    home::Home,
    surfaces::SurfaceName,
};

const REMEMBERED: &str = "ports.json";
/// Free ports are looked for from here on, below those that systems give to outgoing connections (32 768 and up): one of
/// those may be taken by a connection before the service that it was chosen for listens on it.
const FIRST_FREE: u16 = 20_000;
/// How many ports are looked at: 750 times the 16 that a stack may look at before it meets those of another.
const FREE_RANGE: u16 = 12_000;

/// The ports of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ports {
    /// The issuer's.
    pub issuer: u16,
    /// The services'.
    pub services: BTreeMap<SurfaceName, ServicePorts>,
}

/// The ports of one service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServicePorts {
    /// The API.
    pub api: u16,
    /// The operator's endpoints.
    pub ops: u16,
    /// The API with TLS.
    pub tls: u16,
}

/// The issuer's identifier (`iss`) when it listens on this port.
pub fn issuer_url(port: u16) -> String {
    format!("http://{}", loopback(port))
}

/// An address of this machine that no other machine reaches.
pub fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

impl Ports {
    /// The ports for `--port-base`, all of them free at this moment.
    pub fn choose(home: &Home, base: u16) -> Result<Self, StackError> {
        if base == 0 {
            return Self::free(home);
        }
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
        let service = |surface: SurfaceName| {
            let api = base + surface.offset();
            (surface, ServicePorts { api, ops: api + 100, tls: api + 400 })
        };
        Self { issuer: base, services: SurfaceName::ALL.map(service).into() }
    }

    /// Free ports; those of the last start where they still are, so that its tokens and links stay good.
    fn free(home: &Home) -> Result<Self, StackError> {
        let remembered = match home.read(REMEMBERED)? {
            Some(text) => serde_json::from_str(&text).map_err(cannot(format!("read {REMEMBERED}")))?,
            // Nothing can listen on port 0.
            None => Self { issuer: 0, services: BTreeMap::new() },
        };
        // All are held until the last is chosen, so that none is chosen twice.
        let mut held = Vec::new();
        // Stacks that start at the same moment are different processes, and look at different ports.
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
        for surface in SurfaceName::ALL {
            let old = remembered.services.get(&surface).copied().unwrap_or_default();
            services.insert(surface, ServicePorts { api: take(old.api)?, ops: take(old.ops)?, tls: take(old.tls)? });
        }
        let ports = Self { issuer, services };
        let text = serde_json::to_string_pretty(&ports).map_err(cannot("write the chosen ports"))?;
        home.write(REMEMBERED, &text)?;
        Ok(ports)
    }

    fn named(&self) -> impl Iterator<Item = (String, u16)> {
        let services = self.services.iter().flat_map(|(surface, ports)| {
            let name = surface.as_str();
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

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::make(folder.path()).expect("a home");
        (folder, home)
    }

    #[test]
    fn free_ports_are_all_different_and_the_same_after_a_restart() {
        let (_folder, home) = home();
        let first = Ports::choose(&home, 0).expect("free ports");
        let mut numbers: Vec<u16> = first.named().map(|(_, port)| port).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 13);
        assert_eq!(Ports::choose(&home, 0).expect("free ports"), first);
    }

    #[test]
    fn a_taken_port_is_named_with_its_owner() {
        let (_folder, home) = home();
        let taken = probe(0).expect("a free port");
        let port = taken.local_addr().expect("bound").port();
        let message = Ports::choose(&home, port - 2).expect_err("taken").to_string();
        assert!(message.contains(&format!("{port} (cloud)")), "{message}");
        assert!(message.contains("--port-base"), "{message}");
    }
}
