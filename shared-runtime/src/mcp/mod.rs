//! The Model Context Protocol for agents: tools that are the service's own operations, over HTTP without sessions.
//!
//! `rmcp` implements the protocol: versions, headers and messages. A tool calls operations of the service from within
//! ([`crate::http::operations`]). Limits, permissions, arguments, rules and idempotency keys are the same as over HTTP.

mod answer;
mod arguments;
mod bridge;
mod call;
mod derived_key;
mod handler;
mod next_tool;
mod prompt;
mod prompts;
mod request_state;
mod resource;
mod resources;
mod rpc_errors;
mod serve;
mod server;
mod server_json;
mod shorten;
mod steps;
mod text;
mod tool;
mod tool_argument;
mod tools;
mod written;

pub use arguments::Arguments;
pub use prompt::{Complete, Prompt, PromptParameter};
pub use resource::{Content, ListedResource, ResourceFuture, ResourcePage, Resources, Template, View};
pub use serve::{Message, serve, serve_anyone};
pub use server::McpServer;
pub(crate) use server_json::{registry_name, server_json};
pub use steps::{Asking, Confirmation, Outcome, PersonsAnswer, Question, ToolCall, call_operation};
pub use tool::{Effect, Execution, Knows, Recovery, Tool};
pub use tool_argument::{Shape, ToolArgument};
pub use tools::Tools;
pub use written::{FOR_TEXT, Written, short_tag};

pub const PATH: &str = crate::identity::challenge::MCP_PATH;

/// The operation's description.
pub const DESCRIPTION: &str = "\
For agents: one message of JSON-RPC, without a session, by the streamable HTTP of the protocol's revisions up to 2026-07-28; GET \
and DELETE are 405. A notification is answered with 202 and no body. If there is an `Origin`, it must be the service's own, or one \
that the operator allows. The tools are made of the operations of this document, with their scopes and rules: `tools/list` lists \
those that the token's scopes allow. Results are text; what an operation refuses is a result with `isError`. A call is charged to \
this operation's limit, and to that of its own operation where that is another.";
