//! The services in containers, as docker-compose.yml runs them: their files, ports and addresses.

pub mod attend;
pub mod prepare;

use crate::{
    addresses::Addresses, certificate::Certificate, ports::loopback, receiver, service_name::ServiceName,
    stack_file::ServiceEntry,
};

// Containers publish the same port that they listen on, so URLs hold inside and outside.
const ISSUER_PORT: u16 = 8080;
/// URL of this container for the other containers.
const ORIGIN: &str = "http://stack:8080";
// Each container mounts only its own subfolder, so one service cannot read another's secrets.
const FOLDER: &str = "containers";

/// PostgreSQL roles of a service (deploy/postgres).
#[derive(Clone, Copy)]
enum Role {
    App,
    Migrator,
}

impl Role {
    fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Migrator => "migrator",
        }
    }
}

fn user(service: ServiceName, role: Role) -> String {
    format!("fourfold_{}_{}", service.as_str(), role.as_str())
}

/// File that holds a setting of a service.
fn given(service: ServiceName, name: &str) -> String {
    format!("{FOLDER}/{}/{name}", service.as_str())
}

fn port(service: ServiceName) -> u16 {
    ISSUER_PORT + service.port_offset()
}

/// Addresses for callers on this machine.
fn addresses(certificate: &Certificate) -> Addresses {
    let entry = |service: ServiceName| {
        let port = port(service);
        let entry = ServiceEntry {
            base_url: format!("http://{}", loopback(port)),
            tls_base_url: format!("https://{}", loopback(port + 400)),
            ops_url: format!("http://{}:{}", service.as_str(), port + 100),
            database_url: format!("postgres://{}@postgres/fourfold", user(service, Role::App)),
        };
        (service, entry)
    };
    Addresses {
        issuer: format!("http://{}", loopback(ISSUER_PORT)),
        receiver: receiver::url(ORIGIN),
        services: ServiceName::ALL.map(entry).into(),
        certificate_authority_file: certificate.authority.clone(),
        // The networks of its container have no way out.
        issuer_reaches_internet: false,
    }
}
