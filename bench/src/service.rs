//! Services under load: real programs without rate limits.

use anyhow::{Result, ensure};
use shared_runtime::service::Service;
use shared_testing::{ServiceProcess, servers::Servers};

use crate::{binaries, load::Target};

/// One or more processes on a fresh database.
pub struct UnderLoad {
    /// The first one made the database.
    pub processes: Vec<ServiceProcess>,
}

impl UnderLoad {
    pub async fn start(name: &str, service: Service, servers: Option<Servers>, processes: usize) -> Result<Self> {
        Self::with(&[], name, service, servers, processes).await
    }

    /// The same, with additional settings.
    pub async fn with(
        settings: &[(&'static str, &str)],
        name: &str,
        service: Service,
        servers: Option<Servers>,
        processes: usize,
    ) -> Result<Self> {
        ensure!(
            processes == 1 || servers.is_some(),
            "one process serves a SQLite file: several need --postgres and --redis"
        );
        let limits = unlimited(&service);
        let environment = [&[("RATE_LIMITS", limits.as_str()), ("RUST_LOG", "warn")], settings].concat();
        let mut started = vec![ServiceProcess::on(binaries::of(name)?, service, servers, &environment).await];
        for _ in 1..processes {
            let another = started[0].beside(&environment).await;
            started.push(another);
        }
        Ok(Self { processes: started })
    }

    pub fn first(&self) -> &ServiceProcess {
        &self.processes[0]
    }

    pub fn targets(&self) -> Vec<Target> {
        self.processes.iter().map(|child| Target { address: child.address(), pid: child.pid() }).collect()
    }
}

/// A value of `RATE_LIMITS` that no load reaches.
pub fn unlimited(service: &Service) -> String {
    let limits = service.routes().limits();
    let mut classes: Vec<_> = limits.iter().map(|limit| limit.name).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.iter().map(|class| format!("{class}=1000000000")).collect::<Vec<_>>().join(",")
}
