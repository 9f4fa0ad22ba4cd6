//! Resolves names.

use std::{io, net::IpAddr, sync::Arc};

use super::error::OutboundError;

type Lookup = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

#[derive(Clone)]
pub enum Resolver {
    System,
    Custom(Arc<Lookup>),
}

impl Resolver {
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, OutboundError> {
        match self {
            Self::System => {
                let found = tokio::net::lookup_host((name, 0)).await.map_err(|_| OutboundError::Dns)?;
                Ok(found.map(|address| address.ip()).collect())
            }
            Self::Custom(lookup) => {
                let (lookup, name) = (Arc::clone(lookup), name.to_owned());
                // On another thread, because a lookup may block.
                let found = tokio::task::spawn_blocking(move || lookup(&name)).await;
                found.map_err(|_| OutboundError::Dns)?.map_err(|_| OutboundError::Dns)
            }
        }
    }
}
