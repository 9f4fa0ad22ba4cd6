//! The list of the services, in the order of every listing.

use serde::{Deserialize, Serialize};
use shared_runtime::service::Service;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ServiceName {
    Locker,
    Cloud,
    Orders,
    Trust,
}

/// A function, because each start needs its own `Service`.
type Definition = fn() -> Service;

impl ServiceName {
    pub const ALL: [Self; 4] = [Self::Locker, Self::Cloud, Self::Orders, Self::Trust];

    /// Name, definition, and the scopes that its tokens may have.
    fn row(self) -> (&'static str, Definition, &'static str) {
        match self {
            Self::Locker => ("locker", locker_svc::service, "locker.exports.create locker.billing.read locker.chat"),
            Self::Cloud => {
                ("cloud", cloud_svc::service, "cloud.read cloud.propose cloud.write cloud.approve cloud.webhooks")
            }
            Self::Orders => ("orders", orders_svc::service, "net.orders.read net.orders.write"),
            // Trust takes no tokens: signatures authenticate what is published.
            Self::Trust => ("trust", trust_svc::service, ""),
        }
    }

    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    pub fn definition(self) -> Service {
        self.row().1()
    }

    /// Separated by spaces; empty for a service without tokens.
    pub fn scopes(self) -> &'static str {
        self.row().2
    }

    /// Added to the base port.
    pub fn port_offset(self) -> u16 {
        // Declaration order; the issuer has offset 0.
        self as u16 + 1
    }
}
