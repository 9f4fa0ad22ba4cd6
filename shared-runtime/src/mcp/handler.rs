//! rmcp's view of the server: every request goes through the bridge.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, Prompt, ProtocolVersion, ReadResourceRequestParams,
        ReadResourceResponse, ResourceTemplate, ServerConfig,
    },
    service::RequestContext,
};

use super::{
    bridge::{Bridge, BridgeCall},
    steps::Asking,
};

// The list changes only with a release, or with the scopes of the grant.
const TTL_MS: u64 = 300_000;

#[derive(Clone)]
pub(super) struct Handler {
    pub(super) info: Arc<ServerConfig>,
    pub(super) templates: Arc<[ResourceTemplate]>,
    pub(super) prompts: Arc<[Prompt]>,
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
        let tools = bridge(&context)?.send(BridgeCall::Tools).await?;
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asking = asking(&context);
        bridge(&context)?.send(|reply| BridgeCall::Call(Box::new(params), asking, reply)).await
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = params.and_then(|params| params.cursor);
        bridge(&context)?.send(|reply| BridgeCall::Resources(cursor, reply)).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = ListResourceTemplatesResult::with_all_items(self.templates.to_vec());
        Ok(templates.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = ListPromptsResult::with_all_items(self.prompts.to_vec());
        Ok(prompts.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = bridge(&context)?.send(|reply| BridgeCall::Prompt(params, reply)).await?;
        Ok(prompt.into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        bridge(&context)?.send(|reply| BridgeCall::Complete(params, reply)).await
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resource = bridge(&context)?.send(|reply| BridgeCall::Read(params.uri, reply)).await?;
        Ok(resource.into())
    }
}

fn bridge(context: &RequestContext<RoleServer>) -> Result<Bridge, ErrorData> {
    let parts = context.extensions.get::<http::request::Parts>();
    let bridge = parts.and_then(|parts| parts.extensions.get::<Bridge>()).cloned();
    bridge.ok_or_else(|| ErrorData::internal_error("the request has no HTTP request", None))
}

/// How the client can ask its user within the same request (SEP-2322).
fn asking(context: &RequestContext<RoleServer>) -> Asking {
    let version = context.protocol_version();
    // Revisions are dates, so they compare as text.
    let is_new = version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    let capabilities = context.client_capabilities().filter(|_| is_new);
    match capabilities.and_then(|capabilities| capabilities.elicitation) {
        // Without a word about the mode, it is a form.
        Some(how) if how.form.is_some() || how.url.is_none() => Asking::InClient,
        Some(_) => Asking::OnPage,
        None => Asking::Impossible,
    }
}
