//! The endpoint of one service: its tools, and rmcp's transport for them.

use std::sync::{Arc, OnceLock};

use super::{
    handler::Handler,
    input_schema, resources,
    tool::{Effect, Tool},
    tools::Tools,
};
use crate::{
    context::{Context, settings::Settings},
    http::operations::Operations,
};
use rmcp::{
    model::{self, Implementation, ServerCapabilities, ServerConfig, ToolAnnotations},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};

/// The endpoint of a service.
pub struct McpServer {
    pub(super) tools: Tools,
    pub(super) transport: StreamableHttpService<Handler, NeverSessionManager>,
    /// The tools as they are listed; made when they are first asked for.
    described: OnceLock<Vec<model::Tool>>,
}

impl McpServer {
    /// The endpoint with these tools.
    pub(crate) fn new(tools: fn() -> Tools, context: &Context) -> Self {
        let tools = tools();
        let capabilities = match tools.resources {
            Some(_) => ServerCapabilities::builder().enable_tools().enable_resources().build(),
            None => ServerCapabilities::builder().enable_tools().build(),
        };
        let implementation = Implementation::new(format!("fourfold-{}", context.surface.name), context.surface.version)
            .with_title(context.surface.title);
        let info =
            ServerConfig::new(capabilities).with_server_info(implementation).with_instructions(tools.instructions);
        let handler = Handler { info: Arc::new(info), templates: resources::templates(&tools).into() };
        let transport =
            StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config(&context.settings));
        Self { tools, transport, described: OnceLock::new() }
    }

    /// The tool with this name.
    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.tools.iter().find(|tool| tool.name == name)
    }

    /// The tools that the caller may call, as they are listed.
    pub(super) fn listed(&self, operations: &Operations) -> Vec<model::Tool> {
        let described = self.described.get_or_init(|| {
            let tools = self.tools.tools.iter();
            tools.map(|tool| described(tool, operations)).collect()
        });
        let tools = self.tools.tools.iter().zip(described);
        let allowed = tools.filter(|(tool, _)| operations.denies(tool.operations[0]).is_none());
        allowed.map(|(_, described)| described.clone()).collect()
    }
}

fn described(tool: &Tool, operations: &Operations) -> model::Tool {
    let contracts: Vec<_> = tool.operations.iter().filter_map(|id| operations.contract(id)).collect();
    let schema = input_schema::of(tool, &contracts);
    let reads = tool.effect == Effect::Reads;
    // What is read, others may have written; what is written stays within the service.
    let mut annotations = ToolAnnotations::new().read_only(reads).open_world(reads);
    if !reads {
        // The idempotency key makes a repeated call the same call.
        annotations = annotations.destructive(tool.effect == Effect::Replaces).idempotent(true);
    }
    model::Tool::new(tool.name, tool.description, schema).with_title(tool.title).annotate(annotations)
}

/// Without sessions, answered in JSON; for requests by our own names, from pages of our own origin or from no page.
fn config(settings: &Settings) -> StreamableHttpServerConfig {
    let bases = [Some(settings.base_url.clone()), settings.tls_base_url()];
    let urls: Vec<_> = bases.into_iter().flatten().filter_map(|base| url::Url::parse(&base).ok()).collect();
    let mut hosts: Vec<String> = urls.iter().filter_map(|url| Some(url.host_str()?.to_owned())).collect();
    // By these names nobody is led here from elsewhere.
    hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    if !settings.listen.ip().is_unspecified() {
        hosts.push(settings.listen.ip().to_string());
    }
    let origin =
        |url: &url::Url| Some(format!("{}://{}:{}", url.scheme(), url.host_str()?, url.port_or_known_default()?));
    let origins: Vec<String> = urls.iter().filter_map(origin).collect();
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
}
