//! Starting a service: the one `start` that `main`, the tests and the local stack all call.

use std::{net::SocketAddr, sync::Arc};

use actix_web::web;
use shared_model::Moment;

use crate::{Clock, Conn, Desk, Failure, Identity, Routes, Surface, db::Migrations, dice::Dice, settings::Settings};

/// What a service is made of.
#[derive(Clone)]
pub struct Service {
    /// Its manners.
    pub surface: &'static Surface,
    /// Its table of routes.
    pub routes: fn(&mut Routes),
    /// Its schema.
    pub migrations: Migrations,
    /// What happens in the database when a grant is seen for the first time, in the transaction that records it.
    pub first_sight: fn(&mut Conn, &Identity, Moment) -> Result<(), Failure>,
    /// Puts the service's own state ([`crate::State`]) beside the desk: `app.app_data(web::Data::new(…))`. Called once
    /// for each worker, so whatever is shared is made before and cloned in.
    pub state: Arc<dyn Fn(&Desk, &mut web::ServiceConfig) + Send + Sync>,
}

/// A service that runs.
pub struct Running {
    /// Where the API listens.
    pub address: SocketAddr,
    /// Where it listens with TLS.
    pub tls_address: Option<SocketAddr>,
    /// Where the operator's endpoints listen.
    pub ops_address: SocketAddr,
    /// Its state, for tests and importers in the same process.
    pub desk: Desk,
}

/// Time and randomness; tests bring their own.
#[derive(Clone, Debug)]
pub struct World {
    /// The time.
    pub clock: Clock,
    /// Random ids.
    pub dice: Dice,
}

impl World {
    /// The machine's own.
    pub fn real() -> Self {
        Self { clock: Clock::System, dice: Dice::System }
    }
}

/// Migrates the database, sets the desk, opens the listeners. Port 0 takes a free port.
pub async fn start(_service: Service, _settings: Settings, _world: World) -> Result<Running, Failure> {
    Err(Failure::fault("not yet"))
}

/// A desk without listeners, for provisioning commands and importers. Migrates the database too.
pub async fn desk(_service: &Service, _settings: Settings, _world: World) -> Result<Desk, Failure> {
    Err(Failure::fault("not yet"))
}

impl Running {
    /// Stops: readiness off, no new connections, requests in flight finish within the settings' `stop_timeout`.
    pub async fn stop(self) {}
}
