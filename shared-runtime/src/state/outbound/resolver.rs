//! Names to addresses.

use std::{io, net::IpAddr, sync::Arc};

use super::error::OutboundError;

/// A way to resolve names.
type Lookup = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// Resolves names.
#[derive(Clone)]
pub enum Resolver {
    /// As the machine does.
    System,
    /// As a test says.
    Own(Arc<Lookup>),
}

impl Resolver {
    /// All addresses of a name, asked for once.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, OutboundError> {
        match self {
            Self::System => {
                let found = tokio::net::lookup_host((name, 0)).await.map_err(|_| OutboundError::Dns)?;
                Ok(found.map(|address| address.ip()).collect())
            }
            Self::Own(lookup) => {
                let (lookup, name) = (Arc::clone(lookup), name.to_owned());
                // It may wait, as the machine's does, which is asked on another thread too.
                let found = tokio::task::spawn_blocking(move || lookup(&name)).await;
                found.map_err(|_| OutboundError::Dns)?.map_err(|_| OutboundError::Dns)
            }
        }
    }
}
