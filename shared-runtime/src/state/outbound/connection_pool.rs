//! HTTP connections that are reused.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{
    Outbound,
    deadline::Deadline,
    error::OutboundError,
    exchange::{BodyOverflow, Http, Reply, Request},
    target::Target,
};

/// Resolves and checks the target for each request all the same. It drops a connection to an address that the name no
/// longer has.
pub struct ConnectionPool {
    outbound: Outbound,
    idle: Mutex<Vec<Http>>,
}

impl ConnectionPool {
    pub fn new(outbound: Outbound) -> Self {
        Self { outbound, idle: Mutex::default() }
    }

    /// Sends a request and reads at most `max` bytes of the answer's body. Resolving may take as long as `connect`, and
    /// so may a new connection. The peer may get the request twice: when a reused connection ends without an answer, it
    /// is sent again.
    pub async fn send(
        &self,
        target: &Target,
        request: Request,
        max: usize,
        connect: Duration,
        deadline: Deadline,
    ) -> Result<Reply, OutboundError> {
        let destination = self.outbound.resolve(target, deadline.capped(connect)).await?;
        while let Some(mut http) = self.take() {
            if !http.leads_to(&destination) || !deadline.within(http.is_ready()).await? {
                continue;
            }
            match deadline.within(http.exchange(request.clone(), max, BodyOverflow::Ignore)).await? {
                // Most likely the peer closed the idle connection at the same moment.
                Err(OutboundError::BadAnswer) => break,
                answered => return self.keep(answered?),
            }
        }
        let connection = destination.connect(deadline.capped(connect)).await?;
        let http = deadline.within(Http::over(connection)).await??;
        self.keep(deadline.within(http.exchange(request, max, BodyOverflow::Ignore)).await??)
    }

    fn take(&self) -> Option<Http> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, (reply, http): (Reply, Option<Http>)) -> Result<Reply, OutboundError> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(http);
        Ok(reply)
    }
}
