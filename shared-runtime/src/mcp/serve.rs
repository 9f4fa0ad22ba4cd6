//! `POST /mcp`: one message of the protocol.

use std::{borrow::Cow, pin::pin};

use actix_web::http::{StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use rmcp::ErrorData;
use serde_json::Value;
use shared_model::{Error, Failure, FromJson, JsonReader};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    call::{self, Ended},
    exchange::{Ask, Asks},
    resources,
    server::McpServer,
};
use crate::http::{
    arguments::{Anyone, Body, Caller, Permission, State},
    contract::Contract,
    operations::Operations,
    reply::{MediaType, Reply, ReplyBody, Success},
};

/// A message of JSON-RPC 2.0, as the protocol's revision says.
pub struct Message(Value);

/// What a message may have: as a request, a notification or an answer.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// A request or a notification of JSON-RPC 2.0. What its methods take is said by the Model Context Protocol, and by `tools/list`.
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
    /// Comes back with the answer; a notification has none.
    #[schema(value_type = i64, required = false)]
    id: Option<Value>,
    /// What is asked.
    method: String,
    /// With what.
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
    /// That of the request.
    #[schema(value_type = i64, required = false)]
    id: Option<Value>,
    /// What came of it.
    #[schema(value_type = Object, required = false)]
    result: Option<Value>,
    /// Why nothing did: the message was none that the endpoint takes. What an operation refuses is a result with `isError`.
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

/// The answer to a message, as rmcp makes it.
pub struct Answered(Reply);

impl Success for Answered {
    fn describe(contract: &mut Contract) {
        contract.answers_plain::<JsonRpcAnswer>(JsonRpcAnswer::MEDIA_TYPE);
    }

    fn into_reply(self) -> Reply {
        self.0
    }
}

/// Answers a message of a caller that holds `P`, which is what the least of the tools needs.
pub async fn serve<P: Permission>(
    _: Caller<P>,
    Body(Message(message)): Body<Message>,
    operations: Operations,
    State(server): State<McpServer>,
) -> Result<Answered, Error> {
    answer(message, &operations, &server).await
}

/// Answers a message, whoever sends it.
pub async fn serve_anyone(
    _: Anyone,
    Body(Message(message)): Body<Message>,
    operations: Operations,
    State(server): State<McpServer>,
) -> Result<Answered, Error> {
    answer(message, &operations, &server).await
}

async fn answer(message: Value, operations: &Operations, server: &McpServer) -> Result<Answered, Error> {
    let (asks, mut asked) = Asks::new();
    let request = request(&message, operations, asks)?;
    let mut answered = pin!(server.transport.handle(request));
    let mut error = None;
    let response = loop {
        tokio::select! {
            response = &mut answered => break response,
            // rmcp is answered by what is dropped, and ends its task; the HTTP request is answered with the error.
            Some(ask) = asked.recv() => error = carry_out(ask, operations, server).await.err(),
        }
    };
    if let Some(error) = error {
        return Err(error);
    }
    let (head, body) = response.into_parts();
    let bytes = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    let status =
        StatusCode::from_u16(head.status.as_u16()).map_err(|_| Failure::fault("rmcp answers with no status"))?;
    let known = |name: &str| matches!(name, "content-type" | "allow");
    let headers = head.headers.iter().filter(|(name, _)| known(name.as_str()));
    let headers = headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    Ok(Answered(Reply { status, headers: headers.collect(), body: ReplyBody::Plain(bytes.to_vec()) }))
}

/// The request as rmcp takes it: with the headers that it looks at, and never with the token.
fn request(
    message: &Value,
    operations: &Operations,
    asks: Asks,
) -> Result<http::Request<Full<hyper::body::Bytes>>, Failure> {
    let mut request = http::Request::post(super::PATH);
    for (name, value) in operations.http().headers() {
        let wanted = matches!(*name, header::HOST | header::ORIGIN | header::ACCEPT | header::CONTENT_TYPE);
        if wanted || name.as_str().starts_with("mcp-") {
            request = request.header(name.as_str(), value.as_bytes());
        }
    }
    let body = Full::from(serde_json::to_vec(message)?);
    let request = request.extension(asks).body(body);
    request.map_err(|error| Failure::fault("a request that cannot be passed on").from_source(error))
}

/// Does what rmcp asks for. It stops waiting only when the request is over.
async fn carry_out(ask: Ask, operations: &Operations, server: &McpServer) -> Result<(), Error> {
    match ask {
        Ask::Tools(reply) => drop(reply.send(Ok(server.listed(operations)))),
        Ask::Call(params, can_ask, reply) => {
            let name = params.name.clone();
            let answer = match call::call(server, operations, *params, can_ask).await? {
                Ended::Response(response) => Ok(*response),
                // A missing scope is a matter of HTTP: the challenge says what to ask for.
                Ended::Denied(refusal) => return Err((*refusal).into()),
                Ended::Unknown => Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None)),
            };
            drop(reply.send(answer));
        }
        Ask::Resources(cursor, reply) => {
            drop(reply.send(resources::list(&server.tools, operations, cursor).await?));
        }
        Ask::Read(uri, reply) => drop(reply.send(resources::read(&server.tools, operations, uri).await?)),
    }
    Ok(())
}
