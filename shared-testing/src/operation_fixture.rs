//! A fixture: how the owner of something uses one operation successfully. The suites vary it.

use std::rc::Rc;

use serde_json::json;
use shared_runtime::{Routes, identity::challenge, mcp};

use crate::{caller::Caller, request::Request};

/// One operation, used well.
#[derive(Clone)]
pub struct OperationFixture {
    /// The operation's id in the OpenAPI document.
    pub operation: &'static str,
    /// Of whom the operation speaks.
    pub(crate) object: Option<Objects>,
    /// Whether text of the caller's own choice is good in the path.
    pub(crate) takes_any_text: bool,
    /// The code of the 404 to a path that names nothing.
    pub(crate) unknown: &'static str,
    request: Rc<MakeRequest>,
}

type MakeRequest = dyn Fn(&Caller, &str) -> Request;

/// Ids of one kind: one that the owner has, and one that nobody has.
#[derive(Clone)]
pub(crate) struct Objects {
    pub(crate) owned: String,
    pub(crate) missing: String,
}

impl OperationFixture {
    /// An operation that speaks of nothing in particular, or of the caller's own things alone: whoever has the scope
    /// gets a 2xx.
    pub fn of(operation: &'static str, request: impl Fn(&Caller) -> Request + 'static) -> Self {
        let request = Rc::new(move |caller: &Caller, _: &str| request(caller));
        Self { operation, object: None, takes_any_text: false, unknown: "not_found", request }
    }

    /// An operation on one object: `owned` belongs to the suite's owner, `missing` is a well-formed id of nothing.
    pub fn on(
        operation: &'static str,
        owned: impl Into<String>,
        missing: impl Into<String>,
        request: impl Fn(&Caller, &str) -> Request + 'static,
    ) -> Self {
        let object = Some(Objects { owned: owned.into(), missing: missing.into() });
        Self { operation, object, takes_any_text: false, unknown: "not_found", request: Rc::new(request) }
    }

    /// The path takes a text of the caller's own choice: strange ones name nothing, and that is no refusal.
    pub fn taking_any_text(mut self) -> Self {
        self.takes_any_text = true;
        self
    }

    /// An operation whose 404 has a code of its own.
    pub fn unknown_is(mut self, code: &'static str) -> Self {
        self.unknown = code;
        self
    }

    /// The request as this caller makes it, for the owner's object.
    pub fn by(&self, caller: &Caller) -> Request {
        (self.request)(caller, self.object.as_ref().map_or("", |object| &object.owned))
    }

    pub(crate) fn for_missing(&self, caller: &Caller) -> Option<Request> {
        self.object.as_ref().map(|object| (self.request)(caller, &object.missing))
    }
}

/// The operations that every service has.
pub(crate) fn of_every_service(routes: &Routes) -> Vec<OperationFixture> {
    let fixtures = [
        OperationFixture::of("read_openapi", |caller| caller.get("/openapi.json")),
        OperationFixture::of("read_protected_resource", |caller| caller.get(challenge::METADATA_PATH)),
        // Of services with tools.
        OperationFixture::of("send_mcp_message", |caller| {
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
            caller.post(mcp::PATH).header("accept", "application/json, text/event-stream").json(message)
        }),
        OperationFixture::of("read_mcp_protected_resource", |caller| {
            caller.get(format!("{}{}", challenge::METADATA_PATH, mcp::PATH))
        }),
    ];
    let is_there = |fixture: &OperationFixture| routes.contracts().any(|contract| contract.id == fixture.operation);
    fixtures.into_iter().filter(is_there).collect()
}
