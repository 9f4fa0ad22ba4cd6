//! What a verb takes: path, query, body, headers, state. Each is read synchronously, in the order in which the verb
//! names them, after admission has read the body; so the first refusal is always the same one.

use std::{str::FromStr, sync::Arc};

use actix_web::{HttpMessage, HttpRequest, web};
use serde_json::Value;
use shared_model::{Error, Etag, FromJson, JsonReader, Problem, Refusal, code, etag};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    context::Context,
    http::{admission::Admitted, openapi::OperationDoc, routes::Operation},
};

pub mod caller;
mod query;

pub use query::{FromQuery, Params, QueryDoc};

/// One argument of a verb.
pub trait Argument: Sized {
    /// Adds what it needs of a request to the operation's description.
    fn describe(doc: &mut OperationDoc);
    /// Takes it from an admitted request.
    fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error>;
}

/// Path parameters that parse into `T`; text that does not parse names nothing: 404.
pub struct Path<T>(pub T);

/// Types that a path's parameters parse into, in the order of the template.
pub trait FromPath: Sized {
    /// The form of each.
    fn describe() -> Vec<RefOr<Schema>>;
    /// `None` when a parameter is not of its form.
    fn from_path(values: &[&str]) -> Option<Self>;
}

impl<A: FromStr + PartialSchema> FromPath for (A,) {
    fn describe() -> Vec<RefOr<Schema>> {
        vec![A::schema()]
    }

    fn from_path(values: &[&str]) -> Option<Self> {
        let [a] = values else { return None };
        Some((a.parse().ok()?,))
    }
}

impl<A: FromStr + PartialSchema, B: FromStr + PartialSchema> FromPath for (A, B) {
    fn describe() -> Vec<RefOr<Schema>> {
        vec![A::schema(), B::schema()]
    }

    fn from_path(values: &[&str]) -> Option<Self> {
        let [a, b] = values else { return None };
        Some((a.parse().ok()?, b.parse().ok()?))
    }
}

impl<T: FromPath> Argument for Path<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_path(T::describe());
    }

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        let values: Vec<&str> = request.match_info().iter().map(|(_, value)| value).collect();
        T::from_path(&values).map(Self).ok_or_else(|| code::not_found().into())
    }
}

/// Query parameters, read strictly: no unknown name, no name twice.
pub struct Query<T>(pub T);

impl<T: FromQuery> Argument for Query<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_query(T::describe());
    }

    fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error> {
        query::read(request.query_string(), operation).map(Self).map_err(Error::from)
    }
}

/// The JSON body, read into `T` with all its problems told at once.
pub struct Body<T>(pub T);

impl<T: FromJson + ToSchema> Argument for Body<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_body::<T>(true);
    }

    fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error> {
        let extensions = request.extensions();
        let admitted = extensions.get::<Admitted>();
        let absent = Value::Null;
        let value = admitted.and_then(|admitted| admitted.body.as_ref()).unwrap_or(&absent);
        shared_model::json_reader::read(value)
            .map(Self)
            .map_err(|problems| Refusal::problems(operation.surface.invalid_field, problems).into())
    }
}

/// No body, or an empty JSON object: the operation takes no members.
#[derive(Clone, Copy, Debug)]
pub struct NoBody;

/// An object without members.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
struct EmptyObject {}

impl FromJson for EmptyObject {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|_| Some(Self {}))
    }
}

impl Argument for NoBody {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_body::<EmptyObject>(false);
    }

    fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error> {
        match request.extensions().get::<Admitted>().and_then(|admitted| admitted.body.as_ref()) {
            None => Ok(Self),
            Some(value) => shared_model::json_reader::read::<EmptyObject>(value)
                .map(|EmptyObject {}| Self)
                .map_err(|problems| Refusal::problems(operation.surface.invalid_field, problems).into()),
        }
    }
}

/// The entity tag that the caller has seen (`If-Match`): exactly one, or 428 / 400.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(etag::IfMatch);

impl IfMatch {
    /// 412 with the current tag unless the caller has seen it; `href` is where to read again.
    pub fn require(self, current: Etag, href: impl Into<String>) -> Result<(), Refusal> {
        if self.0 == etag::IfMatch::Exactly(current) { Ok(()) } else { Err(code::stale(href, current)) }
    }
}

impl Argument for IfMatch {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_header("If-Match", true, "The entity tag of the version you have seen.");
        doc.refuses(&code::IF_MATCH_REQUIRED);
        doc.refuses(&code::ETAG_MISMATCH);
    }

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        match single_header(request, "If-Match")? {
            None => Err(code::IF_MATCH_REQUIRED.refusal().next(missing("If-Match")).into()),
            Some(text) => {
                etag::IfMatch::parse(text).map(Self).map_err(|rule| code::invalid_parameter("If-Match", rule).into())
            }
        }
    }
}

/// The entity tags that the caller has already (`If-None-Match`), if any.
#[derive(Clone, Debug)]
pub struct IfNoneMatch(Option<String>);

impl IfNoneMatch {
    /// Whether the caller has this version already, so that 304 is answer enough.
    pub fn has(&self, current: Etag) -> bool {
        self.0.as_deref().is_some_and(|header| current.is_named_by(header))
    }
}

impl Argument for IfNoneMatch {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_header("If-None-Match", false, "Entity tags you have already; a match is answered with 304.");
        doc.may_be_not_modified();
    }

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        let values: Vec<_> =
            request.headers().get_all("if-none-match").filter_map(|value| value.to_str().ok()).collect();
        Ok(Self((!values.is_empty()).then(|| values.join(", "))))
    }
}

/// A service's own state beside the context, put there by [`crate::service::server::Service::state`].
pub struct State<T: ?Sized>(pub Arc<T>);

impl<T: 'static> Argument for State<T> {
    fn describe(_: &mut OperationDoc) {}

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        match request.app_data::<web::Data<T>>() {
            Some(data) => Ok(Self(Arc::clone(data))),
            None => Err(shared_model::Failure::fault("a verb asks for state that the service did not provide").into()),
        }
    }
}

impl Argument for Context {
    fn describe(_: &mut OperationDoc) {}

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        Ok(crate::http::edge::context(request).clone())
    }
}

/// The one value of a header, `None` when absent; 400 when it comes twice or is not visible ASCII.
pub fn single_header<'r>(request: &'r HttpRequest, name: &str) -> Result<Option<&'r str>, Refusal> {
    let mut values = request.headers().get_all(name);
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(code::invalid_parameter(name, "must be visible ASCII characters")),
        },
        (Some(_), Some(_)) => Err(code::invalid_parameter(name, "must be sent once")),
    }
}

/// Tells a program that a header is missing.
pub fn missing(name: &str) -> shared_model::NextAction {
    let problem = Problem { at: name.to_owned(), rule: "must be sent".to_owned() };
    shared_model::NextAction::CorrectRequest { problems: vec![problem] }
}

macro_rules! argument_lists {
    ($(($($argument:ident),*);)+) => {$(
        impl<$($argument: Argument),*> Argument for ($($argument,)*) {
            fn describe(doc: &mut OperationDoc) {
                let _ = &doc;
                $($argument::describe(doc);)*
            }

            fn extract(request: &HttpRequest, operation: &Operation) -> Result<Self, Error> {
                let _ = (request, operation);
                Ok(($($argument::extract(request, operation)?,)*))
            }
        }

        #[expect(non_snake_case, reason = "a macro names values after their types")]
        impl<Verb, Out, Answered, $($argument: Argument),*> crate::http::routes::Verb<($($argument,)*)> for Verb
        where
            Verb: Fn($($argument),*) -> Out + Clone + Send + 'static,
            Out: Future<Output = Result<Answered, Error>> + 'static,
            Answered: crate::http::reply::Success + 'static,
        {
            type Answered = Answered;
            type Out = Out;

            fn call(&self, ($($argument,)*): ($($argument,)*)) -> Out {
                self($($argument),*)
            }
        }
    )+};
}

argument_lists! {
    (A);
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
}
