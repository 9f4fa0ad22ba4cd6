//! `GET /v1/service`, and the manifest with links for developers.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{
    Answer, Anyone, Context,
    identity::challenge::METADATA_PATH,
    pages::{CHANGELOG_PATH, DOCS_PATH, LLMS_PATH},
};
use utoipa::ToSchema;

use crate::{
    base::{limits, permissions},
    news::webhooks::event_type::EventType,
};

pub const MANIFEST_PATH: &str = "/.well-known/developer-manifest.json";

// Sorted. Empty while this version does all that its file records and this document mention.
pub const UNSUPPORTED: &[&str] = &[];

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "schema": "service/service/v1", "name": "Fourfold Cloud", "version": "v1.8.3", "api": "https://cloud.example.com",
    "mcp": "https://cloud.example.com/mcp", "openapi": "https://cloud.example.com/openapi.json",
    "developer_manifest": "https://cloud.example.com/.well-known/developer-manifest.json",
    "authentication": {
        "mode": "bearer_grant", "identity_authority": "https://id.example.com", "delegated_oauth_ready": true,
        "provisioning": "first_use"
    },
    "privacy": {
        "private_results_sponsored": false, "private_content_in_ad_telemetry": false,
        "private_responses_cacheable": false
    },
    "limits": {
        "upload_bytes": 1073741824, "upload_chunk_bytes": 1048576, "upload_session_seconds": 86400,
        "download_grant_seconds": 120, "request_bytes": 2097152, "response_bytes": 4194304, "list_page": 100,
        "sheet_range_cells": 1000, "edit_operations": 50, "grant_max_seconds": 2592000, "reads_per_minute": 600,
        "writes_per_minute": 120, "idempotency_seconds": 86400, "edit_plan_seconds": 900, "review_plan_seconds": 604800,
        "list_cursor_seconds": 3600, "change_cursor_seconds": 2592000, "rate_limit_key": "grant"
    },
    "storage_quota_bytes": 5368709120_i64, "unsupported": []
}))]
pub struct ServiceInformation {
    pub schema: ServiceSchema,
    pub name: &'static str,
    pub version: &'static str,
    /// The base URL of the API.
    #[schema(pattern = "^https://")]
    pub api: String,
    /// The endpoint of the Model Context Protocol.
    #[schema(pattern = "^https://")]
    pub mcp: String,
    #[schema(pattern = "^https://")]
    pub openapi: String,
    #[schema(pattern = "^https://")]
    pub developer_manifest: String,
    pub authentication: Authentication,
    pub privacy: Privacy,
    pub limits: Limits,
    /// The most bytes that a workspace may keep, unless the operator sets another quota.
    #[schema(minimum = 0)]
    pub storage_quota_bytes: i64,
    /// Features that this version lacks.
    pub unsupported: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum ServiceSchema {
    #[serde(rename = "service/service/v1")]
    V1,
}

/// How callers authenticate.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Authentication {
    /// `bearer_grant`: a bearer token that belongs to a grant of one workspace.
    pub mode: &'static str,
    /// The issuer of tokens, or this service if the issuer has no https URL.
    #[schema(pattern = "^https://")]
    pub identity_authority: String,
    /// Whether other programs can get grants from a public authorization server.
    pub delegated_oauth_ready: bool,
    /// `first_use`: the first use of a grant records the grant and its workspace.
    pub provisioning: &'static str,
}

/// The uses of private content.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// Whether search results are sponsored.
    pub private_results_sponsored: bool,
    /// Whether private content reaches advertising telemetry.
    pub private_content_in_ad_telemetry: bool,
    /// Whether shared caches may store private answers.
    pub private_responses_cacheable: bool,
}

/// The limits. Those of `unsupported` features apply when the features come.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each name is the specification's and says its unit")]
#[schema(as = ServiceLimits)]
pub struct Limits {
    pub upload_bytes: u64,
    pub upload_chunk_bytes: u64,
    pub upload_session_seconds: u64,
    pub download_grant_seconds: u64,
    pub request_bytes: u64,
    pub response_bytes: u64,
    pub list_page: u64,
    pub sheet_range_cells: u64,
    pub edit_operations: u64,
    pub grant_max_seconds: u64,
    pub reads_per_minute: u32,
    pub writes_per_minute: u32,
    pub idempotency_seconds: u64,
    pub edit_plan_seconds: u64,
    pub review_plan_seconds: u64,
    pub list_cursor_seconds: u64,
    pub change_cursor_seconds: u64,
    pub rate_limit_key: &'static str,
}

/// Links for developers, and all scopes, error codes and event types.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "schema": "service/developer-manifest/v1", "name": "Fourfold Cloud", "version": "v1.8.3",
    "api": "https://cloud.example.com",
    "openapi": "https://cloud.example.com/openapi.json", "docs": "https://cloud.example.com/docs",
    "llms": "https://cloud.example.com/llms.txt", "changelog": "https://cloud.example.com/changelog.md",
    "mcp": "https://cloud.example.com/mcp",
    "service_information": "https://cloud.example.com/v1/service", "limits_url": "https://cloud.example.com/v1/service",
    "resource_metadata": "https://cloud.example.com/.well-known/oauth-protected-resource",
    "scopes": ["cloud.approve", "cloud.propose", "cloud.read", "cloud.webhooks", "cloud.write"],
    "error_codes": ["etag_mismatch", "plan_stale"], "event_types": ["*", "file.created"], "unsupported": []
}))]
pub struct DeveloperManifest {
    pub schema: ManifestSchema,
    pub name: &'static str,
    pub version: &'static str,
    /// The base URL of the API.
    pub api: String,
    pub openapi: String,
    pub docs: String,
    /// A summary for language models (llmstxt.org).
    pub llms: String,
    /// The changes of each version (keepachangelog.com).
    pub changelog: String,
    /// The endpoint of the Model Context Protocol.
    pub mcp: String,
    pub service_information: String,
    /// The resource with the member `limits`.
    pub limits_url: String,
    /// The issuers of tokens and the scopes (RFC 9728).
    pub resource_metadata: String,
    pub scopes: &'static [&'static str],
    /// Every `error.code`, sorted.
    pub error_codes: Vec<&'static str>,
    /// All events of webhooks.
    pub event_types: Vec<EventType>,
    /// Features that this version lacks.
    pub unsupported: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub enum ManifestSchema {
    #[serde(rename = "service/developer-manifest/v1")]
    V1,
}

impl DeveloperManifest {
    fn from_context(context: &Context) -> Self {
        let ServiceInformation { name, version, api, openapi, mcp, unsupported, .. } =
            ServiceInformation::from_context(context);
        let mut error_codes: Vec<_> = context.surface.all_codes().map(|code| code.name).collect();
        error_codes.sort_unstable();
        Self {
            schema: ManifestSchema::V1,
            name,
            version,
            openapi,
            docs: format!("{api}{DOCS_PATH}"),
            llms: format!("{api}{LLMS_PATH}"),
            changelog: format!("{api}{CHANGELOG_PATH}"),
            mcp,
            service_information: format!("{api}/v1/service"),
            limits_url: format!("{api}/v1/service"),
            resource_metadata: format!("{api}{METADATA_PATH}"),
            scopes: permissions::SCOPES,
            error_codes,
            event_types: EventType::ALL.iter().map(|(_, event)| *event).collect(),
            unsupported,
            api,
        }
    }
}

pub async fn read(_: Anyone, context: Context) -> Result<Answer<ServiceInformation>, Error> {
    Ok(Answer::ok(&ServiceInformation::from_context(&context))?)
}

pub async fn manifest(_: Anyone, context: Context) -> Result<Answer<DeveloperManifest>, Error> {
    Ok(Answer::ok(&DeveloperManifest::from_context(&context))?)
}

impl ServiceInformation {
    pub fn from_context(context: &Context) -> Self {
        let https_base = context.https_base_url();
        // An http issuer runs on this machine, and its tokens are made by hand. The member allows https only.
        let issuer = context.settings.issuer.as_ref().map(|settings| settings.issuer.as_str());
        let issuer = issuer.filter(|issuer| issuer.starts_with("https://"));
        Self {
            schema: ServiceSchema::V1,
            name: "Fourfold Cloud",
            version: context.surface.version,
            mcp: format!("{https_base}/mcp"),
            openapi: format!("{https_base}/openapi.json"),
            developer_manifest: format!("{https_base}{MANIFEST_PATH}"),
            authentication: Authentication {
                mode: "bearer_grant",
                // Otherwise the service itself: its resource metadata names the issuers, if there are any.
                identity_authority: issuer.unwrap_or(&https_base).to_owned(),
                delegated_oauth_ready: issuer.is_some(),
                provisioning: "first_use",
            },
            privacy: Privacy {
                private_results_sponsored: false,
                private_content_in_ad_telemetry: false,
                private_responses_cacheable: false,
            },
            limits: Limits {
                upload_bytes: limits::UPLOAD_BYTES.unsigned_abs(),
                upload_chunk_bytes: limits::UPLOAD_CHUNK_BYTES.unsigned_abs(),
                upload_session_seconds: limits::UPLOAD_SECONDS,
                download_grant_seconds: limits::DOWNLOAD_GRANT_SECONDS,
                request_bytes: limits::REQUEST_BYTES as u64,
                response_bytes: limits::RESPONSE_BYTES as u64,
                list_page: 100,
                sheet_range_cells: limits::SHEET_RANGE_CELLS as u64,
                edit_operations: limits::EDIT_OPERATIONS as u64,
                grant_max_seconds: 2_592_000,
                reads_per_minute: context.rate_limiter.limit(&limits::READ),
                writes_per_minute: context.rate_limiter.limit(&limits::WRITE),
                idempotency_seconds: 86_400,
                edit_plan_seconds: limits::EDIT_PLAN_SECONDS,
                review_plan_seconds: limits::REVIEW_PLAN_SECONDS,
                list_cursor_seconds: shared_model::cursor::LIFETIME.as_secs(),
                change_cursor_seconds: limits::CHANGE_CURSOR_SECONDS,
                rate_limit_key: "grant",
            },
            storage_quota_bytes: limits::STORAGE_QUOTA_BYTES,
            unsupported: UNSUPPORTED,
            api: https_base,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_gaps_are_sorted() {
        assert!(super::UNSUPPORTED.is_sorted());
    }
}
