//! Calls of operations from within another request, by a page or an MCP tool.
//!
//! Limits, permissions, arguments and verbs are those of HTTP. A call counts for the operation that is called.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::Arc,
};

use actix_web::{HttpMessage as _, HttpRequest, web};
use serde_json::Value;
use shared_model::{Error, ErrorBody, Failure, Refusal};
use tracing::Instrument as _;

use super::{
    admission,
    argument::{AdmittedRequest, Argument, RequestBody, VirtualRequest},
    arguments::query,
    contract::Contract,
    edge::outcome,
    incoming_body::{BodyTimeouts, IncomingBody},
    measures,
    reply::{Reply, ReplyBody},
    resource_for_host::challenge,
    routes::{Operation, Routes, check_reader},
};
use crate::{
    base::{request_id::RequestId, telemetry::Stopwatch},
    context::Context,
    identity::Identity,
    state::rate_limit::LimitClass,
};

/// The operations of a service by id; in every app.
pub(crate) struct OperationTable(HashMap<&'static str, Operation>);

impl OperationTable {
    pub(crate) fn from_routes(routes: &Routes) -> Self {
        Self(routes.operations().map(|operation| (operation.contract.id, operation)).collect())
    }
}

/// Calls operations for the caller of the current request.
pub struct Operations {
    http: HttpRequest,
    context: Context,
    identity: Option<Arc<Identity>>,
    table: Arc<OperationTable>,
    /// The limit that the request itself was charged to.
    charged: &'static LimitClass,
    /// Why the grant has ended during a call.
    ended: RefCell<Option<Box<Refusal>>>,
}

/// The body of a call.
#[derive(Debug)]
pub enum CallBody {
    Nothing,
    Json(Value),
    Bytes(web::Bytes),
}

#[derive(Debug)]
pub enum CallResult {
    /// JSON text with its envelope.
    Answered(String),
    Refused(ErrorBody),
}

impl Argument for Operations {
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(Self {
            http: request.http.clone(),
            context: request.context.clone(),
            identity: request.identity.clone(),
            table: table(request.http)?,
            charged: request.contract.limit,
            ended: RefCell::default(),
        })
    }
}

fn table(http: &HttpRequest) -> Result<Arc<OperationTable>, Failure> {
    let table = http.app_data::<web::Data<OperationTable>>();
    table.map(|table| Arc::clone(table)).ok_or_else(|| Failure::fault("an app has no table of operations"))
}

impl Operations {
    /// For a person with a session instead of a bearer token; the request was charged to this limit.
    pub(crate) fn for_identity(
        http: &HttpRequest,
        context: &Context,
        identity: Arc<Identity>,
        charged: &'static LimitClass,
    ) -> Result<Self, Failure> {
        let (http, context) = (http.clone(), context.clone());
        Ok(Self { table: table(&http)?, http, context, identity: Some(identity), charged, ended: RefCell::default() })
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    /// `None` for a public operation.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_deref()
    }

    pub(crate) fn http(&self) -> &HttpRequest {
        &self.http
    }

    pub fn contract(&self, id: &str) -> Option<&Contract> {
        self.table.0.get(id).map(|operation| &*operation.contract)
    }

    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.table.0.values().map(|operation| &*operation.contract)
    }

    /// The refusal if the caller's scopes do not allow the operation.
    pub(crate) fn denies(&self, id: &str) -> Option<Refusal> {
        self.contract(id).and_then(|contract| self.permitted(contract).err())
    }

    /// Whether the caller's scopes allow the operation.
    pub fn allows(&self, id: &str) -> bool {
        self.denies(id).is_none()
    }

    /// Refuses on behalf of an operation, without calling it.
    pub fn refuse(&self, id: &str, refusal: &Refusal) -> Result<CallResult, Failure> {
        let contract = self.contract(id).ok_or_else(|| Failure::fault(format!("no operation has the id {id}")))?;
        let measures = measures::for_request(&self.http).operation(Some(contract));
        measures.refused(refusal.code.name);
        measures.answered(refusal.code.status, &Stopwatch::start());
        Ok(CallResult::Refused(outcome::error_body(
            Some(contract),
            &self.request_id(),
            refusal,
            self.context.base_url(),
        )))
    }

    pub async fn call(&self, id: &str, request: &VirtualRequest, body: CallBody) -> Result<CallResult, Failure> {
        match self.reply(id, request, body).await? {
            Ok(reply) => self.answered(reply, &self.request_id()).map(CallResult::Answered),
            Err(refused) => Ok(CallResult::Refused(refused)),
        }
    }

    /// The answer before it has its envelope: for operations that answer with bytes.
    pub(crate) async fn reply(
        &self,
        id: &str,
        request: &VirtualRequest,
        body: CallBody,
    ) -> Result<Result<Reply, ErrorBody>, Failure> {
        let operation = self.table.0.get(id);
        let operation = operation.ok_or_else(|| Failure::fault(format!("no operation has the id {id}")))?;
        let contract = &*operation.contract;
        let measures = measures::for_request(&self.http).operation(Some(contract));
        let started = Stopwatch::start();
        // Inside of the request's span, so that its lines carry the request id too.
        let span = tracing::error_span!("call", operation = contract.id);
        let outcome = self.carry_out(operation, request, body).instrument(span.clone()).await;
        let _entered = span.enter();
        let refusal = match outcome {
            Ok(reply) => {
                measures.answered(reply.status.as_u16(), &started);
                return Ok(Ok(reply));
            }
            Err(Error::Refused(refusal)) => {
                measures.refused(refusal.code.name);
                refusal
            }
            Err(Error::Failed(failure)) => Box::new(outcome::refusal_for_failure(measures, &failure)),
        };
        measures.answered(refusal.code.status, &started);
        let (request_id, base_url) = (self.request_id(), self.context.base_url());
        Ok(Err(outcome::error_body(Some(contract), &request_id, &refusal, base_url)))
    }

    async fn carry_out(&self, operation: &Operation, request: &VirtualRequest, body: CallBody) -> Result<Reply, Error> {
        let contract = &*operation.contract;
        // The request itself was charged already: a call within the same limit must not count twice.
        if contract.limit != self.charged {
            let grant = self.identity.as_ref().filter(|_| contract.required().is_some());
            let subject = match grant {
                Some(identity) => identity.grant_id.clone(),
                None => admission::address(&self.context, &self.http),
            };
            admission::charge(&self.context, &self.http, contract.limit, &subject).await?;
        }
        // The same order as in admission: first the limit, then the permission.
        self.permitted(contract)?;
        query::refuse_unless_taken(&request.query, contract)?;
        let body = match body {
            CallBody::Nothing => RequestBody::None,
            CallBody::Json(value) => RequestBody::Json(value),
            CallBody::Bytes(bytes) => {
                let within = self.context.settings.body_timeout;
                let body = IncomingBody::from_bytes(&self.http, bytes, BodyTimeouts::of_text(within));
                RequestBody::Incoming(Cell::new(Some(body)))
            }
        };
        let admitted = AdmittedRequest {
            http: &self.http,
            contract,
            context: &self.context,
            identity: self.identity.clone(),
            body,
            virtual_request: Some(request),
        };
        let (running, check) = (operation.call(&admitted)?, admitted.grant_check());
        drop(admitted);
        let reply = running.await?;
        let checked = check_reader(contract, check).await;
        if let Err(Error::Refused(refusal)) = &checked {
            self.ended.replace(Some(refusal.clone()));
        }
        checked.map(|()| reply)
    }

    /// The refusal if the grant has ended while an operation was running.
    pub(crate) fn ended(&self) -> Option<Box<Refusal>> {
        self.ended.take()
    }

    fn permitted(&self, contract: &Contract) -> Result<(), Refusal> {
        let Some(required) = contract.required() else { return Ok(()) };
        let challenge = challenge(&self.context, &self.http);
        match &self.identity {
            Some(identity) => admission::require(challenge, required, identity),
            None => Err(challenge.missing_token()),
        }
    }

    fn answered(&self, reply: Reply, id: &RequestId) -> Result<String, Failure> {
        match reply.body {
            ReplyBody::Payload { json, next_cursor, replayed } => {
                Ok(outcome::wrapped(self.context.surface.envelope, id, &json, next_cursor.as_ref(), replayed))
            }
            ReplyBody::Plain(bytes) => String::from_utf8(bytes)
                .map_err(|_| Failure::fault("a call from within cannot take an answer that is not text")),
            ReplyBody::Stream(_) | ReplyBody::Nothing => {
                Err(Failure::fault("a call from within cannot take a stream or an empty answer"))
            }
        }
    }

    fn request_id(&self) -> RequestId {
        let id = self.http.extensions().get::<RequestId>().copied();
        id.unwrap_or_else(RequestId::random)
    }
}
