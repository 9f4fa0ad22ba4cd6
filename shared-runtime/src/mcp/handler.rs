//! What rmcp asks of a server: it is passed on to whoever answers the HTTP request.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ResourceTemplate, ServerConfig,
    },
    service::RequestContext,
};

use super::exchange::{Ask, Asks};

/// How long a client may keep the list of tools: it changes with a release, and with the grant's scopes.
const TTL_MS: u64 = 300_000;

/// Serves one request.
#[derive(Clone)]
pub(super) struct Handler {
    pub(super) info: Arc<ServerConfig>,
    pub(super) templates: Arc<[ResourceTemplate]>,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::clone(&self.info)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = asks(&context)?.ask(Ask::Tools).await?;
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let can_ask = can_be_asked(&context);
        asks(&context)?.ask(|reply| Ask::Call(Box::new(params), can_ask, reply)).await
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = params.and_then(|params| params.cursor);
        asks(&context)?.ask(|reply| Ask::Resources(cursor, reply)).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = ListResourceTemplatesResult::with_all_items(self.templates.to_vec());
        Ok(templates.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resource = asks(&context)?.ask(|reply| Ask::Read(params.uri, reply)).await?;
        Ok(resource.into())
    }
}

/// The way to whoever answers the HTTP request.
fn asks(context: &RequestContext<RoleServer>) -> Result<Asks, ErrorData> {
    let parts = context.extensions.get::<http::request::Parts>();
    let asks = parts.and_then(|parts| parts.extensions.get::<Asks>()).cloned();
    asks.ok_or_else(|| ErrorData::internal_error("a request without its HTTP request", None))
}

/// Whether the client asks its user when it is asked to, in the same request (SEP-2322).
fn can_be_asked(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
        && context.client_capabilities().is_some_and(|capabilities| capabilities.elicitation.is_some())
}
