//! `POST /mcp`: one message of the protocol.
//!
//! Why each call crosses a channel and comes back: rmcp's handlers must be `Send`. Verbs are not, because actix runs
//! them on one thread. So:
//!
//! 1. `exchange` hands the message to rmcp, which calls the [`super::handler::Handler`] in a task of its own.
//! 2. The handler sends a [`BridgeCall`] with a channel for the answer, and waits.
//! 3. `exchange`, still on the request's thread, receives the call and runs the operation (`carry_out`).
//! 4. The answer goes back through the channel; the handler returns it to rmcp.
//! 5. rmcp writes the JSON-RPC answer, which `exchange` returns as the HTTP answer.

use std::{borrow::Cow, pin::pin};

use actix_web::http::{StatusCode, header};
use futures_util::future::LocalBoxFuture;
use http_body_util::{BodyExt as _, Full};
use rmcp::ErrorData;
use serde_json::Value;
use shared_model::{Error, Failure, FromJson, JsonReader};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    bridge::{Bridge, BridgeCall},
    call::{self, CallOutcome, Mode},
    prompts, resources,
    rpc_errors::{self, RawAnswer},
    server::McpServer,
};
use crate::http::{
    arguments::{Anyone, Body, Caller, FromQuery, Params, Permission, Query, State},
    contract::{Contract, QueryParameter},
    operations::Operations,
    reply::{MediaType, Reply, ReplyBody, Success},
};

/// A message of JSON-RPC 2.0; rmcp checks the rest.
pub struct Message(Value);

const FORGED_STATE: &str = "requestState is not what this server sent to you. Call the tool again without it.";

/// Members of requests, notifications and answers.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// A request or a notification of JSON-RPC 2.0. The Model Context Protocol and `tools/list` define the parameters of
/// its methods.
#[derive(ToSchema)]
#[schema(example = json!({
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "search_files", "arguments": {"name_contains": "minutes"}}
}))]
#[expect(dead_code, reason = "rmcp reads it; this is what OpenAPI says of it")]
struct JsonRpcRequest {
    /// The version of JSON-RPC.
    #[schema(pattern = "^2\\.0$")]
    jsonrpc: String,
    /// Returned with the answer. A notification has none.
    #[schema(value_type = i64, required = false)]
    id: Option<Value>,
    /// The method.
    method: String,
    /// Its parameters.
    #[schema(value_type = Object, required = false)]
    params: Option<Value>,
}

/// An answer of JSON-RPC 2.0.
#[derive(ToSchema)]
#[schema(example = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": false}}))]
#[expect(dead_code, reason = "rmcp writes it; this is what OpenAPI says of it")]
struct JsonRpcAnswer {
    /// The version of JSON-RPC.
    #[schema(pattern = "^2\\.0$")]
    jsonrpc: String,
    /// The id of the request.
    #[schema(value_type = i64, required = false)]
    id: Option<Value>,
    /// The result of the method.
    #[schema(value_type = Object, required = false)]
    result: Option<Value>,
    /// Why the message was not accepted. A refusal of an operation is not an error here, but a result with `isError`.
    #[schema(value_type = Object, required = false)]
    error: Option<Value>,
}

impl MediaType for JsonRpcAnswer {
    const MEDIA_TYPE: &'static str = "application/json";
}

impl PartialSchema for Message {
    fn schema() -> RefOr<Schema> {
        JsonRpcRequest::schema()
    }
}

impl ToSchema for Message {
    fn name() -> Cow<'static, str> {
        JsonRpcRequest::name()
    }
}

impl FromJson for Message {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        let value = reader.value();
        let Value::Object(members) = value else { return reader.refuse("must be an object") };
        let mut unknown = members.keys().filter(|name| !MEMBERS.contains(&name.as_str())).peekable();
        if unknown.peek().is_none() {
            return Some(Self(value.clone()));
        }
        unknown.for_each(|name| reader.note(&format!("/{name}"), "is not a member of a message of JSON-RPC"));
        None
    }
}

/// The answer to a message, as rmcp writes it.
pub struct RpcAnswer(Reply);

impl Success for RpcAnswer {
    fn describe(contract: &mut Contract) {
        contract.answers_plain::<JsonRpcAnswer>(JsonRpcAnswer::MEDIA_TYPE);
        contract.speaks_json_rpc = true;
    }

    fn into_reply(self) -> Reply {
        self.0
    }
}

/// For callers that hold `P`, which at least one tool needs.
pub async fn serve<P: Permission>(
    _: Caller<P>,
    Query(form): Query<ResultForm>,
    Body(Message(message)): Body<Message>,
    operations: Operations,
    State(server): State<McpServer>,
) -> Result<RpcAnswer, Error> {
    answer(message, form, &operations, &server).await
}

/// For services whose tools are public.
pub async fn serve_anyone(
    _: Anyone,
    Query(form): Query<ResultForm>,
    Body(Message(message)): Body<Message>,
    operations: Operations,
    State(server): State<McpServer>,
) -> Result<RpcAnswer, Error> {
    answer(message, form, &operations, &server).await
}

/// Whether results have the operation's body and the text for a model. Most clients give a model both, which pays for
/// it twice. Or they give the body alone, without marks on what others wrote.
#[derive(Clone, Copy, Debug)]
pub struct ResultForm {
    is_structured: bool,
}

impl FromQuery for ResultForm {
    const IS_LIST: bool = false;

    fn describe() -> Vec<QueryParameter> {
        let words = [("true", true), ("false", false)];
        let description = "For programs: `true` adds `structuredContent` to results and `outputSchema` to tools.";
        vec![QueryParameter::one_of("structured", &words, description).example("true")]
    }

    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        let asked = params.one_of("structured", &[("true", true), ("false", false)])?;
        Some(Self { is_structured: asked.unwrap_or(false) })
    }
}

/// Boxed here: the body of an async function is compiled by the crate that awaits it, and this one is rmcp.
fn answer<'a>(
    message: Value,
    form: ResultForm,
    operations: &'a Operations,
    server: &'a McpServer,
) -> LocalBoxFuture<'a, Result<RpcAnswer, Error>> {
    Box::pin(exchange(message, form, operations, server))
}

async fn exchange(
    message: Value,
    form: ResultForm,
    operations: &Operations,
    server: &McpServer,
) -> Result<RpcAnswer, Error> {
    let (bridge, mut calls) = Bridge::new();
    let method = message["method"].as_str().map(str::to_owned);
    if let Some(answer) = rpc_errors::of_headers(operations.http()) {
        return Ok(RpcAnswer(answer));
    }
    let request = request(&message, operations, bridge)?;
    let mut answered = pin!(server.transport.handle(request));
    let mut error = None;
    let response = loop {
        tokio::select! {
            response = &mut answered => break response,
            // An error drops the channel, which ends rmcp's task. The HTTP request is answered with the error.
            Some(call) = calls.recv() => error = carry_out(call, form, operations, server).await.err(),
        }
    };
    if let Some(error) = error {
        return Err(error);
    }
    // An HTTP error, as for every other request of a grant that has ended.
    if let Some(refusal) = operations.ended() {
        return Err((*refusal).into());
    }
    let (head, body) = response.into_parts();
    let bytes = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    let status = StatusCode::from_u16(head.status.as_u16())
        .map_err(|_| Failure::fault("rmcp answered with an invalid status"))?;
    let media_type = head.headers.get(header::CONTENT_TYPE.as_str()).and_then(|value| value.to_str().ok());
    let answer = RawAnswer { status, media_type: media_type.map(str::to_owned), body: bytes.to_vec() };
    let RawAnswer { status, media_type, body } = rpc_errors::readable(answer, operations.http(), method.as_deref());
    // All other headers are the edge's.
    let headers = media_type.map(|media_type| (header::CONTENT_TYPE.to_string(), media_type)).into_iter().collect();
    Ok(RpcAnswer(Reply { status, headers, body: ReplyBody::Plain(body) }))
}

/// The HTTP request for rmcp: with the headers that it reads, and never with the token.
fn request(
    message: &Value,
    operations: &Operations,
    bridge: Bridge,
) -> Result<http::Request<Full<hyper::body::Bytes>>, Failure> {
    let mut request = http::Request::post(super::PATH);
    for (name, value) in operations.http().headers() {
        // rmcp checks these against DNS rebinding and for the protocol's version.
        let wanted = matches!(*name, header::HOST | header::ORIGIN | header::CONTENT_TYPE);
        if wanted || name.as_str().starts_with("mcp-") {
            request = request.header(name.as_str(), value.as_bytes());
        }
    }
    // Whatever a client accepts of the two, it gets JSON.
    request = request.header(header::ACCEPT.as_str(), "application/json, text/event-stream");
    let body = Full::from(serde_json::to_vec(message)?);
    let request = request.extension(bridge).body(body);
    request.map_err(|error| Failure::fault("a request cannot be passed on to rmcp").from_source(error))
}

/// Runs one call of the bridge.
async fn carry_out(
    call: BridgeCall,
    ResultForm { is_structured }: ResultForm,
    operations: &Operations,
    server: &McpServer,
) -> Result<(), Error> {
    match call {
        BridgeCall::Tools(reply) => drop(reply.send(Ok(server.listed(operations, is_structured)))),
        BridgeCall::Call(params, asking, reply) => {
            let name = params.name.clone();
            let answer = match call::call(server, operations, *params, Mode { asking, is_structured }).await? {
                CallOutcome::Response(response) => Ok(*response),
                // A missing scope is an HTTP error: its challenge names the scope to request.
                CallOutcome::MissingScope(refusal) => return Err((*refusal).into()),
                CallOutcome::ForgedState => Err(ErrorData::invalid_params(FORGED_STATE, None)),
                CallOutcome::UnknownTool => Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None)),
            };
            drop(reply.send(answer));
        }
        BridgeCall::Resources(cursor, reply) => {
            drop(reply.send(resources::list(&server.tools, operations, cursor).await?));
        }
        BridgeCall::Prompt(params, reply) => drop(reply.send(prompts::get(server.tools.prompts, &params))),
        BridgeCall::Complete(params, reply) => {
            drop(reply.send(Ok(prompts::complete(&server.tools, operations, params).await?)));
        }
        BridgeCall::Read(uri, reply) => drop(reply.send(resources::read(&server.tools, operations, uri).await?)),
    }
    Ok(())
}
