//! Operations that are called from within another one, which speaks another protocol: the same limits, permissions, arguments
//! and verbs, counted as what they are.

use std::{cell::Cell, collections::HashMap, sync::Arc};

use actix_web::{HttpMessage as _, HttpRequest, web};
use serde_json::Value;
use shared_model::{Error, ErrorBody, Failure, Refusal};
use tracing::Instrument as _;

use super::{
    admission,
    argument::{AdmittedRequest, Argument, Parameters, RequestBody},
    arguments::query,
    asked_resource::challenge,
    contract::Contract,
    edge::outcome,
    incoming_body::{IncomingBody, Patience},
    measures,
    reply::{Reply, ReplyBody},
    routes::{Operation, Routes},
};
use crate::{
    base::{request_id::RequestId, telemetry::Stopwatch},
    context::Context,
    identity::Identity,
    state::rate_limit::LimitClass,
};

/// The operations of a service by their ids; in every app.
pub(crate) struct OperationTable(HashMap<&'static str, Operation>);

impl OperationTable {
    /// Those of these routes.
    pub(crate) fn of(routes: &Routes) -> Self {
        Self(routes.operations().map(|operation| (operation.contract.id, operation)).collect())
    }
}

/// Calls operations for the caller of the request that is being answered.
pub struct Operations {
    http: HttpRequest,
    context: Context,
    identity: Option<Arc<Identity>>,
    table: Arc<OperationTable>,
    /// What the request itself was charged to.
    charged: &'static LimitClass,
}

/// The body of a call.
#[derive(Debug)]
pub enum Sent {
    /// None.
    Nothing,
    /// A JSON object.
    Json(Value),
    /// Bytes.
    Bytes(web::Bytes),
}

/// What came of a call.
#[derive(Debug)]
pub enum Called {
    /// The body of a success, JSON text.
    Answered(String),
    /// The body of a refusal.
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
        })
    }
}

fn table(http: &HttpRequest) -> Result<Arc<OperationTable>, Failure> {
    let table = http.app_data::<web::Data<OperationTable>>();
    table.map(|table| Arc::clone(table)).ok_or_else(|| Failure::fault("an app without its table of operations"))
}

impl Operations {
    /// For somebody who asks otherwise than by a token in the request, which was charged to this limit.
    pub(crate) fn within(
        http: &HttpRequest,
        context: &Context,
        identity: Arc<Identity>,
        charged: &'static LimitClass,
    ) -> Result<Self, Failure> {
        let (http, context) = (http.clone(), context.clone());
        Ok(Self { table: table(&http)?, http, context, identity: Some(identity), charged })
    }

    /// The context of the service.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Who calls; none where everyone may.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_deref()
    }

    /// The request that is being answered.
    pub(crate) fn http(&self) -> &HttpRequest {
        &self.http
    }

    /// What an operation takes and answers.
    pub fn contract(&self, id: &str) -> Option<&Contract> {
        self.table.0.get(id).map(|operation| &*operation.contract)
    }

    /// All of them.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.table.0.values().map(|operation| &*operation.contract)
    }

    /// The refusal of a caller whose scopes do not allow the operation.
    pub(crate) fn denies(&self, id: &str) -> Option<Refusal> {
        self.contract(id).and_then(|contract| self.permitted(contract).err())
    }

    /// Refuses on behalf of an operation, which is not called.
    pub fn refuse(&self, id: &str, refusal: &Refusal) -> Result<Called, Failure> {
        let contract = self.contract(id).ok_or_else(|| Failure::fault(format!("no operation has the id {id}")))?;
        let measures = measures::of(&self.http).operation(Some(contract));
        measures.refused(refusal.code.name);
        measures.answered(refusal.code.status, &Stopwatch::start());
        Ok(Called::Refused(outcome::error_body(Some(contract), &self.request_id(), refusal)))
    }

    /// Calls an operation.
    pub async fn call(&self, id: &str, said: &Parameters, sent: Sent) -> Result<Called, Failure> {
        let operation = self.table.0.get(id);
        let operation = operation.ok_or_else(|| Failure::fault(format!("no operation has the id {id}")))?;
        let contract = &*operation.contract;
        let measures = measures::of(&self.http).operation(Some(contract));
        let started = Stopwatch::start();
        let span = tracing::error_span!("call", operation = contract.id);
        let outcome = self.carry_out(operation, said, sent).instrument(span.clone()).await;
        let _entered = span.enter();
        let request_id = self.request_id();
        let refusal = match outcome {
            Ok(reply) => {
                measures.answered(reply.status.as_u16(), &started);
                return self.answered(reply, &request_id).map(Called::Answered);
            }
            Err(Error::Refused(refusal)) => {
                measures.refused(refusal.code.name);
                refusal
            }
            Err(Error::Failed(failure)) => Box::new(outcome::of_failure(measures, &failure)),
        };
        measures.answered(refusal.code.status, &started);
        Ok(Called::Refused(outcome::error_body(Some(contract), &request_id, &refusal)))
    }

    async fn carry_out(&self, operation: &Operation, said: &Parameters, sent: Sent) -> Result<Reply, Error> {
        let contract = &*operation.contract;
        if contract.limit != self.charged {
            let grant = self.identity.as_ref().filter(|_| contract.required().is_some());
            let subject = match grant {
                Some(identity) => identity.grant_id.clone(),
                None => admission::address(&self.context, &self.http),
            };
            admission::charge(&self.context, &self.http, contract.limit, &subject).await?;
        }
        self.permitted(contract)?;
        query::refuse_unless_taken(&said.query, contract)?;
        let body = match sent {
            Sent::Nothing => RequestBody::None,
            Sent::Json(value) => RequestBody::Json(value),
            Sent::Bytes(bytes) => {
                let within = self.context.settings.body_timeout;
                let body = IncomingBody::of(&self.http, bytes, Patience { pause: within, whole: within });
                RequestBody::Incoming(Cell::new(Some(body)))
            }
        };
        let running = operation.call(&AdmittedRequest {
            http: &self.http,
            contract,
            context: &self.context,
            identity: self.identity.clone(),
            body,
            said: Some(said),
        })?;
        running.await
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
            ReplyBody::Plain(bytes) => {
                String::from_utf8(bytes).map_err(|_| Failure::fault("an answer that is no text, to a call from within"))
            }
            ReplyBody::Stream(_) | ReplyBody::Nothing => {
                Err(Failure::fault("a stream, or nothing, to a call from within"))
            }
        }
    }

    fn request_id(&self) -> RequestId {
        let id = self.http.extensions().get::<RequestId>().copied();
        id.unwrap_or_else(RequestId::random)
    }
}
