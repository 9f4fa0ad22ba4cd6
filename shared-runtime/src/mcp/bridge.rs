//! The channel from rmcp's task to the task that answers the HTTP request (why: see `serve.rs`).

use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
        GetPromptResult, ListResourcesResult, ReadResourceResult, Tool,
    },
};
use tokio::sync::{mpsc, oneshot};

use super::steps::Asking;

pub(super) type Reply<T> = oneshot::Sender<Result<T, ErrorData>>;

/// What rmcp needs from the service.
pub(super) enum BridgeCall {
    Tools(Reply<Vec<Tool>>),
    /// A call of a tool, and how the client can ask its user.
    Call(Box<CallToolRequestParams>, Asking, Reply<CallToolResponse>),
    /// One page of the resources, from a cursor.
    Resources(Option<String>, Reply<ListResourcesResult>),
    Prompt(GetPromptRequestParams, Reply<GetPromptResult>),
    Complete(CompleteRequestParams, Reply<CompleteResult>),
    /// The resource at a URI.
    Read(String, Reply<ReadResourceResult>),
}

/// The sending end.
#[derive(Clone)]
pub(super) struct Bridge(mpsc::Sender<BridgeCall>);

impl Bridge {
    pub(super) fn new() -> (Self, mpsc::Receiver<BridgeCall>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }

    /// Sends a call and waits for its answer.
    pub(super) async fn send<T>(&self, call: impl FnOnce(Reply<T>) -> BridgeCall) -> Result<T, ErrorData> {
        let (reply, answer) = oneshot::channel();
        // The HTTP request was answered in another way, for instance with 403. Nobody reads this error.
        let closed = || ErrorData::internal_error("the request is no longer being answered", None);
        self.0.send(call(reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}
