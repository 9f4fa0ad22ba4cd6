//! The four services by name, in the order in which everything lists them.

use serde::{Deserialize, Serialize};
use shared_runtime::service::Service;

/// One of the four services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceName {
    /// Rooms, exports, billing.
    Locker,
    /// Workspace files.
    Cloud,
    /// Placed orders.
    Orders,
    /// Signed market events.
    Trust,
}

impl SurfaceName {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Locker, Self::Cloud, Self::Orders, Self::Trust];

    /// As it is written everywhere.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Locker => "locker",
            Self::Cloud => "cloud",
            Self::Orders => "orders",
            Self::Trust => "trust",
        }
    }

    /// Its place after the base port.
    pub fn offset(self) -> u16 {
        match self {
            Self::Locker => 1,
            Self::Cloud => 2,
            Self::Orders => 3,
            Self::Trust => 4,
        }
    }

    /// What it is made of.
    pub fn service(self) -> Service {
        match self {
            Self::Locker => locker_svc::service(),
            Self::Cloud => cloud_svc::service(),
            Self::Orders => orders_svc::service(),
            Self::Trust => trust_svc::service(),
        }
    }
}
