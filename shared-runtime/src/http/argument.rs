//! Arguments of verbs, and the admitted request that they are read from.

use std::{cell::Cell, sync::Arc};

use actix_web::{HttpRequest, http::header::HeaderMap, web};
use serde_json::Value;
use shared_model::{Error, Refusal, code};

use super::{contract::Contract, grant_check::GrantCheck, incoming_body::IncomingBody};
use crate::{context::Context, identity::Identity};

/// One argument of a verb. Arguments are read synchronously, in the order of the verb's signature.
///
/// ```
/// use shared_model::Error;
/// use shared_runtime::http::{argument::{AdmittedRequest, Argument}, contract::Contract};
///
/// /// The languages that the client prefers.
/// struct AcceptLanguage(Option<String>);
///
/// impl Argument for AcceptLanguage {
///     fn describe(contract: &mut Contract) {
///         contract.takes_header("Accept-Language", false, "The languages that the client prefers.");
///     }
///
///     fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
///         Ok(Self(request.single_header("Accept-Language")?.map(str::to_owned)))
///     }
/// }
/// ```
pub trait Argument: Sized {
    /// Adds the argument's requirements, and the codes of its refusals, to the contract.
    fn describe(contract: &mut Contract);
    // Not an actix extractor: actix polls those concurrently, and then the first refusal would depend on timing.
    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error>;
}

pub struct AdmittedRequest<'r> {
    pub http: &'r HttpRequest,
    pub contract: &'r Contract,
    pub context: &'r Context,
    /// Who calls; `None` for a public operation.
    pub identity: Option<Arc<Identity>>,
    pub body: RequestBody,
    /// Path, query and headers of a call from a page or an MCP tool; `None`: they are those of `http`.
    pub virtual_request: Option<&'r VirtualRequest>,
}

impl AdmittedRequest<'_> {
    /// For after the verb; `None` for a public operation.
    pub(super) fn grant_check(&self) -> Option<GrantCheck> {
        self.identity.as_ref().map(|identity| GrantCheck::new(self.context, self.http, identity))
    }
}

/// The path, query and headers of an operation that another request calls: a page, or an MCP tool.
#[derive(Debug, Default)]
pub struct VirtualRequest {
    /// The values of the path's parameters, in the order of the template.
    pub path: Vec<String>,
    pub query: String,
    pub headers: HeaderMap,
    pub origin: CallOrigin,
}

/// How the call reached the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallOrigin {
    /// A request for the operation's own URL.
    Rest,
    /// A page, for the person who has signed in.
    Page,
    #[default]
    Mcp,
    /// As `Mcp`, and the client says that its user agrees to this call. That is its word only: nothing proves that a
    /// person was asked.
    ConfirmedMcp,
}

/// The body of a request, as its operation takes it.
pub enum RequestBody {
    /// The request has no body, or the operation takes none.
    None,
    Json(Value),
    Text(web::Bytes),
    /// A stream of bytes. The verb takes it out of the cell, once.
    Incoming(Cell<Option<IncomingBody>>),
}

impl RequestBody {
    /// The JSON object, where it is one.
    pub fn json(&self) -> Option<&Value> {
        match self {
            Self::Json(value) => Some(value),
            Self::None | Self::Text(_) | Self::Incoming(_) => None,
        }
    }
}

impl AdmittedRequest<'_> {
    pub fn headers(&self) -> &HeaderMap {
        self.virtual_request.map_or(self.http.headers(), |request| &request.headers)
    }

    pub fn query_string(&self) -> &str {
        self.virtual_request.map_or(self.http.query_string(), |request| &request.query)
    }

    pub fn origin(&self) -> CallOrigin {
        self.virtual_request.map_or(CallOrigin::Rest, |request| request.origin)
    }

    /// The value of a header; 400 when it is sent twice or is not visible ASCII.
    pub fn single_header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.headers().get_all(name);
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => match value.to_str() {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err(code::invalid_parameter(name, "must be visible ASCII characters")),
            },
            (Some(_), Some(_)) => Err(code::invalid_parameter(name, "must be sent once")),
        }
    }

    /// The values of the path's parameters, in the order of the template.
    pub fn path_values(&self) -> Vec<&str> {
        match self.virtual_request {
            Some(request) => request.path.iter().map(String::as_str).collect(),
            None => self.http.match_info().iter().map(|(_, value)| value).collect(),
        }
    }
}

/// The context that the service was started with.
pub fn context(request: &HttpRequest) -> &Context {
    request.app_data::<web::Data<Context>>().expect("the server puts the context into every app")
}
