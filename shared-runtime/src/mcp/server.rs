//! The MCP endpoint of a service: its tools, and rmcp's transport.

use std::sync::{Arc, OnceLock};

use super::{
    handler::Handler,
    prompts, resources,
    tool::{Effect, Tool},
    tool_argument,
    tools::Tools,
};
use crate::{
    base::surface::ICON_PATH,
    context::{Context, settings::Settings},
    http::operations::Operations,
};
use rmcp::{
    model::{
        self, Icon, Implementation, JsonObject, MetaObject, PromptsCapability, ResourcesCapability, ServerCapabilities,
        ServerConfig, ToolAnnotations,
    },
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde_json::json;

pub struct McpServer {
    pub(super) tools: Tools,
    pub(super) transport: StreamableHttpService<Handler, NeverSessionManager>,
    /// The descriptions of the tools, made when they are first listed: their schemas take memory.
    described: OnceLock<Vec<model::Tool>>,
}

impl McpServer {
    pub(crate) fn new(tools: fn() -> Tools, context: &Context) -> Self {
        let tools = tools();
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        capabilities.resources = tools.resources.as_ref().map(|_| ResourcesCapability::default());
        // Also where there are none: the list is empty then, and completion knows nothing.
        capabilities.prompts = Some(PromptsCapability::default());
        capabilities.completions = Some(JsonObject::default());
        if tools.resources.as_ref().is_some_and(|resources| !resources.views.is_empty()) {
            capabilities.extensions = Some([(resources::VIEWS.to_owned(), JsonObject::default())].into());
        }
        let implementation = Implementation::new(format!("fourfold-{}", context.surface.name), context.surface.version)
            .with_title(context.surface.title)
            .with_icons(vec![icon(context.base_url())]);
        let info =
            ServerConfig::new(capabilities).with_server_info(implementation).with_instructions(tools.instructions);
        let handler = Handler {
            info: Arc::new(info),
            templates: resources::templates(&tools).into(),
            prompts: prompts::listed(&tools).into(),
        };
        let transport =
            StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config(&context.settings));
        Self { tools, transport, described: OnceLock::new() }
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.tools.iter().find(|tool| tool.name == name)
    }

    /// Descriptions of the tools that the caller's scopes allow.
    pub(super) fn listed(&self, operations: &Operations, is_structured: bool) -> Vec<model::Tool> {
        let described = self.described.get_or_init(|| self.tools.tools.iter().map(described).collect());
        let tools = self.tools.tools.iter().zip(described);
        let allowed = tools.filter(|(tool, _)| operations.denies(tool.operations[0]).is_none());
        let listed = allowed.map(|(_, described)| described.clone());
        if is_structured { listed.map(with_output).collect() } else { listed.collect() }
    }
}

fn icon(base_url: &str) -> Icon {
    Icon::new(format!("{base_url}{ICON_PATH}")).with_mime_type("image/svg+xml").with_sizes(vec!["any".to_owned()])
}

fn described(tool: &Tool) -> model::Tool {
    // Without the values that are the protocol's defaults: models pay for each word.
    let mut described = model::Tool::new(tool.name, tool.description, tool_argument::object(&tool.arguments));
    if let Some(view) = tool.view {
        described.meta = json!({"ui": {"resourceUri": view}}).as_object().cloned().map(MetaObject);
    }
    match tool.effect {
        Effect::Reads => described.annotate(ToolAnnotations::new().read_only(true)),
        // Clients ask their user before destructive tools, and a tool that says nothing is one.
        Effect::Adds => described.annotate(ToolAnnotations::new().destructive(false)),
        Effect::Replaces => described,
    }
}

/// What others may have written is in `untrusted`; the operation in the OpenAPI document says what that is. A refusal has
/// the other two: SDKs check those results, too.
fn with_output(mut tool: model::Tool) -> model::Tool {
    let schema = json!({
        "type": "object",
        "properties": {"untrusted": {"type": "object"}, "error": {"type": "object"}, "next_tool": {"type": "object"}},
        "additionalProperties": false,
    });
    tool.output_schema = schema.as_object().cloned().map(Arc::new);
    tool
}

/// Without sessions, with answers in JSON. For our own host names, and for pages of our own origin, of those in
/// `CORS_ORIGINS`, or of none.
fn config(settings: &Settings) -> StreamableHttpServerConfig {
    let bases = [Some(settings.base_url.clone()), settings.tls_base_url()];
    let urls: Vec<_> = bases.into_iter().flatten().filter_map(|base| url::Url::parse(&base).ok()).collect();
    let mut hosts: Vec<String> = urls.iter().filter_map(|url| Some(url.host_str()?.to_owned())).collect();
    // These names always mean this machine, so no web page can rebind them (DNS rebinding).
    hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    if !settings.listen.ip().is_unspecified() {
        // An unspecified address (0.0.0.0) is not a name that anybody calls.
        hosts.push(settings.listen.ip().to_string());
    }
    let origin =
        |url: &url::Url| Some(format!("{}://{}:{}", url.scheme(), url.host_str()?, url.port_or_known_default()?));
    let pages: Vec<_> = settings.cors_origins.iter().filter_map(|origin| url::Url::parse(origin).ok()).collect();
    let origins: Vec<String> = urls.iter().chain(&pages).filter_map(origin).collect();
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
}
