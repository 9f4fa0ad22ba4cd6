//! What a verb takes: the trait, and the admitted request that arguments are read from.

use std::{cell::Cell, sync::Arc};

use actix_web::{HttpRequest, http::header::HeaderMap, web};
use serde_json::Value;
use shared_model::{Error, Refusal, code};

use super::{contract::Contract, incoming_body::IncomingBody};
use crate::{context::Context, identity::Identity};

/// One argument of a verb. Arguments are read synchronously, in the order in which the verb names them, so that the
/// first refusal is always the same one; actix would poll its extractors concurrently.
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
    /// Adds what it needs of a request, and the codes that it refuses with, to the contract.
    fn describe(contract: &mut Contract);
    /// Reads it from an admitted request.
    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error>;
}

/// A request that has passed admission.
pub struct AdmittedRequest<'r> {
    /// The request itself.
    pub http: &'r HttpRequest,
    /// The operation that it asks for.
    pub contract: &'r Contract,
    /// The service's state.
    pub context: &'r Context,
    /// Who calls; `None` for a public operation.
    pub identity: Option<Arc<Identity>>,
    /// The body.
    pub body: RequestBody,
    /// What it says beside its body, where that is not in the HTTP request: another protocol asks for the operation.
    pub said: Option<&'r Parameters>,
}

/// What a request for an operation says beside its body.
#[derive(Debug, Default)]
pub struct Parameters {
    /// The values of the path's parameters, in the order of the template.
    pub path: Vec<String>,
    /// The query string.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// Whether a page has it carried out.
    pub is_of_page: bool,
}

/// The body of a request, as its operation takes it.
pub enum RequestBody {
    /// There is none, or none is taken.
    None,
    /// Strict JSON, always an object.
    Json(Value),
    /// Bytes of another protocol.
    Text(web::Bytes),
    /// Bytes that the verb reads as they come; taken once.
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
    /// The headers.
    pub fn headers(&self) -> &HeaderMap {
        self.said.map_or(self.http.headers(), |said| &said.headers)
    }

    /// The query string.
    pub fn query_string(&self) -> &str {
        self.said.map_or(self.http.query_string(), |said| &said.query)
    }

    /// Whether the operation is asked for by another protocol than its own.
    pub fn is_of_another_protocol(&self) -> bool {
        self.said.is_some()
    }

    /// Whether a page has it carried out, for the person who reads it.
    pub fn is_of_page(&self) -> bool {
        self.said.is_some_and(|said| said.is_of_page)
    }

    /// The one value of a header, `None` when absent; 400 when it comes twice or is not visible ASCII.
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
        match self.said {
            Some(said) => said.path.iter().map(String::as_str).collect(),
            None => self.http.match_info().iter().map(|(_, value)| value).collect(),
        }
    }
}

/// The context that the service was started with.
pub fn context(request: &HttpRequest) -> &Context {
    request.app_data::<web::Data<Context>>().expect("the server puts the context into every app")
}
