//! The services in containers of their own, as docker-compose.yml has them: what they are given, and what is done beside them.

pub mod attend;
pub mod prepare;

use crate::{
    certificate::Certificate, manifest::SurfaceEntry, places::Places, ports::loopback, receiver, surfaces::SurfaceName,
};

/// The issuer's port, inside and outside.
const ISSUER_PORT: u16 = 8080;
/// As the other containers reach this one.
const ORIGIN: &str = "http://stack:8080";
/// Each container is given one folder of this one, and sees no other.
const FOLDER: &str = "containers";

/// A role of a service on PostgreSQL (deploy/postgres).
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

fn user(surface: SurfaceName, role: Role) -> String {
    format!("fourfold_{}_{}", surface.as_str(), role.as_str())
}

/// What a service is given, by the name of its setting.
fn given(surface: SurfaceName, name: &str) -> String {
    format!("{FOLDER}/{}/{name}", surface.as_str())
}

/// A service's port, inside and outside.
fn port(surface: SurfaceName) -> u16 {
    ISSUER_PORT + surface.offset()
}

/// As callers on this machine reach everything.
fn places(certificate: &Certificate) -> Places {
    let entry = |surface: SurfaceName| {
        let port = port(surface);
        let entry = SurfaceEntry {
            base_url: format!("http://{}", loopback(port)),
            tls_base_url: format!("https://{}", loopback(port + 400)),
            ops_url: format!("http://{}:{}", surface.as_str(), port + 100),
            database_url: format!("postgres://{}@postgres/fourfold", user(surface, Role::App)),
        };
        (surface, entry)
    };
    Places {
        issuer: format!("http://{}", loopback(ISSUER_PORT)),
        receiver: receiver::url(ORIGIN),
        surfaces: SurfaceName::ALL.map(entry).into(),
        certificate_authority_file: certificate.authority.clone(),
    }
}
