//! From rmcp's task to ours: rmcp carries a request out in a task that may run on any thread, and operations run where their
//! request is answered.

use rmcp::{
    ErrorData,
    model::{CallToolRequestParams, CallToolResponse, ListResourcesResult, ReadResourceResult, Tool},
};
use tokio::sync::{mpsc, oneshot};

/// Where an answer is sent.
pub(super) type Reply<T> = oneshot::Sender<Result<T, ErrorData>>;

/// What rmcp asks for.
pub(super) enum Ask {
    /// The tools.
    Tools(Reply<Vec<Tool>>),
    /// A call of a tool; and whether the client can be asked back.
    Call(Box<CallToolRequestParams>, bool, Reply<CallToolResponse>),
    /// A page of the resources.
    Resources(Option<String>, Reply<ListResourcesResult>),
    /// A resource.
    Read(String, Reply<ReadResourceResult>),
}

/// The way to whoever answers a request.
#[derive(Clone)]
pub(super) struct Asks(mpsc::Sender<Ask>);

impl Asks {
    /// A way, and its other end.
    pub(super) fn new() -> (Self, mpsc::Receiver<Ask>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }

    /// Asks, and waits for the answer.
    pub(super) async fn ask<T>(&self, ask: impl FnOnce(Reply<T>) -> Ask) -> Result<T, ErrorData> {
        let (reply, answer) = oneshot::channel();
        // Whoever answers is gone when the HTTP request has been answered in another way; nobody reads this then.
        let gone = || ErrorData::internal_error("the request is no longer being answered", None);
        self.0.send(ask(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}
