//! A successful call of an operation, which the generated suites vary.

use std::rc::Rc;

use serde_json::json;
use shared_runtime::{Routes, identity::challenge, mcp};

use crate::{caller::Caller, request::Request};

#[derive(Clone)]
pub struct OperationFixture {
    pub operation: &'static str,
    /// Ids for operations on one object.
    pub(crate) object: Option<Objects>,
    /// Whether any text is valid as the path parameter.
    pub(crate) takes_any_text: bool,
    /// Code of the 404 for an unknown path parameter.
    pub(crate) unknown: &'static str,
    request: Rc<MakeRequest>,
}

type MakeRequest = dyn Fn(&Caller, &str) -> Request;

/// An id that the owner has, and one that does not exist.
#[derive(Clone)]
pub(crate) struct Objects {
    pub(crate) owned: String,
    pub(crate) missing: String,
}

impl Objects {
    /// The ids of the owner, which are not in `missing`.
    pub(crate) fn owned_ids(&self) -> impl Iterator<Item = &str> {
        self.differing().map(|(owned, _)| owned)
    }

    /// A text with the same word for the ids of both, so that answers can be compared.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        let hide = |text: String, (owned, missing): (&str, &str)| text.replace(owned, "ID").replace(missing, "ID");
        self.differing().fold(text.to_owned(), hide)
    }

    /// The parts in which the two paths differ.
    fn differing(&self) -> impl Iterator<Item = (&str, &str)> {
        self.owned.split('/').zip(self.missing.split('/')).filter(|(owned, missing)| owned != missing)
    }
}

impl OperationFixture {
    /// An operation without an object, or on the caller's own data: it succeeds for every caller with the scope.
    pub fn of(operation: &'static str, request: impl Fn(&Caller) -> Request + 'static) -> Self {
        let request = Rc::new(move |caller: &Caller, _: &str| request(caller));
        Self { operation, object: None, takes_any_text: false, unknown: "not_found", request }
    }

    /// An operation on one object. `owned` belongs to the suite's owner; `missing` is valid but does not exist.
    pub fn on(
        operation: &'static str,
        owned: impl Into<String>,
        missing: impl Into<String>,
        request: impl Fn(&Caller, &str) -> Request + 'static,
    ) -> Self {
        let object = Some(Objects { owned: owned.into(), missing: missing.into() });
        Self { operation, object, takes_any_text: false, unknown: "not_found", request: Rc::new(request) }
    }

    /// The path parameter may be any text; unknown texts are not refused.
    pub fn taking_any_text(mut self) -> Self {
        self.takes_any_text = true;
        self
    }

    /// Sets the code of the 404, if it is not `not_found`.
    pub fn unknown_is(mut self, code: &'static str) -> Self {
        self.unknown = code;
        self
    }

    /// The request for the owner's object, sent by this caller.
    pub fn by(&self, caller: &Caller) -> Request {
        (self.request)(caller, self.object.as_ref().map_or("", |object| &object.owned))
    }

    /// The request for the object that does not exist; `None` without an object.
    pub fn for_missing(&self, caller: &Caller) -> Option<Request> {
        self.object.as_ref().map(|object| (self.request)(caller, &object.missing))
    }
}

pub(crate) fn of_every_service(routes: &Routes) -> Vec<OperationFixture> {
    let fixtures = [
        OperationFixture::of("read_openapi", |caller| caller.get("/openapi.json")),
        OperationFixture::of("read_protected_resource", |caller| caller.get(challenge::METADATA_PATH)),
        // Only services with tools have this operation.
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
