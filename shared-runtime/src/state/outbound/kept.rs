//! Connections that are used again.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{
    Outbound,
    deadline::Deadline,
    error::OutboundError,
    exchange::{Http, Reply, Request, Rest},
    target::Target,
};

/// Requests over connections that are used again. The target is resolved and vetted for each request all the same: a
/// connection to an address that it no longer has is not used.
pub struct KeptConnections {
    outbound: Outbound,
    idle: Mutex<Vec<Http>>,
}

impl KeptConnections {
    /// None yet.
    pub fn new(outbound: Outbound) -> Self {
        Self { outbound, idle: Mutex::default() }
    }

    /// Sends a request, and reads its answer; what comes after `max` bytes of its body is left unread. To resolve the name may take
    /// as long as `connect`, and so may a new connection. The request may come twice to the other side: where a kept connection
    /// ends without an answer, it is sent over a new one.
    pub async fn send(
        &self,
        target: &Target,
        request: Request,
        max: usize,
        connect: Duration,
        deadline: Deadline,
    ) -> Result<Reply, OutboundError> {
        let destination = self.outbound.find(target, deadline.or_after(connect)).await?;
        while let Some(mut http) = self.take() {
            if !http.leads_to(&destination) || !deadline.within(http.is_ready()).await? {
                continue;
            }
            match deadline.within(http.exchange(request.clone(), max, Rest::Left)).await? {
                Err(OutboundError::BadAnswer) => break,
                answered => return self.keep(answered?),
            }
        }
        let connection = destination.connect(deadline.or_after(connect)).await?;
        let http = deadline.within(Http::over(connection)).await??;
        self.keep(deadline.within(http.exchange(request, max, Rest::Left)).await??)
    }

    fn take(&self) -> Option<Http> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, (reply, http): (Reply, Option<Http>)) -> Result<Reply, OutboundError> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(http);
        Ok(reply)
    }
}
