//! What one operation takes and answers: the data from which admission, the edge and the OpenAPI document all work.

use std::fmt;

use actix_web::http::Method;
use serde_json::Value;
use shared_model::{Code, FromJson, Refusal, code, limits, refusal::NextStep};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, Ref, RefOr, Schema, SchemaFormat, Type},
};

use crate::{base::surface::Surface, identity::Identity, state::rate_limit::LimitClass};

/// One operation. A verb's arguments and success describe themselves into it ([`super::argument::Argument`],
/// [`super::reply::Success`]); the route adds what the signature does not say.
#[derive(Clone)]
pub struct Contract {
    /// Its service.
    pub surface: &'static Surface,
    /// Its name in the OpenAPI document; idempotency keys are bound to it.
    pub id: &'static str,
    /// The method; a GET serves HEAD as well.
    pub method: Method,
    /// The URL template.
    pub path: &'static str,
    /// One sentence for the reader of the document.
    pub summary: &'static str,
    /// What else its caller has to know: what happens, what comes of it, what to do then.
    pub description: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The limit that a request is charged to.
    pub limit: &'static LimitClass,
    /// Limits that the verb charges beside it.
    pub also_charged: Vec<&'static LimitClass>,
    /// Whether it takes a body.
    pub body: BodyPolicy,
    /// The body's shape.
    pub body_schema: Option<RefOr<Schema>>,
    /// The shape of each path parameter, in the order of the template.
    pub path_parameters: Vec<RefOr<Schema>>,
    /// Whether the last of them takes the rest of the path, slashes and all.
    pub takes_rest: bool,
    /// Query parameters.
    pub query: Vec<QueryParameter>,
    /// Request headers.
    pub headers: Vec<HeaderParameter>,
    /// Whether it takes an idempotency key, so that it can be sent again without happening twice.
    pub takes_key: bool,
    /// Whether it answers page by page, with a cursor.
    pub is_list: bool,
    /// What it answers with when it succeeds.
    pub success: SuccessContract,
    /// Every code that it may refuse with.
    pub codes: Vec<&'static Code>,
    /// Next actions that some of them come with here, beside their own.
    pub further_steps: Vec<(&'static Code, NextStep)>,
    /// What makes the component schemas that the shapes above refer to: only the document needs them, and a running service does
    /// not keep them in memory.
    pub schemas: Vec<fn() -> NamedSchemas>,
}

/// Schemas and their names.
pub type NamedSchemas = Vec<(String, RefOr<Schema>)>;

/// Who may call an operation.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// The verb's first argument has not said so yet.
    Undecided,
    /// Everyone.
    Public,
    /// Callers that hold this.
    Requires(Required),
}

/// The rule of a permission, without its type.
#[derive(Clone, Copy)]
pub struct Required {
    /// The scope to ask for.
    pub scope: &'static str,
    /// Scopes that imply it.
    pub implied_by: &'static [&'static str],
    /// Anything else that the grant must be.
    pub check: fn(&Identity) -> Result<(), Refusal>,
    /// The next action of whom `check` refuses, where it is not to ask for the scope.
    pub unless_checked: Option<NextStep>,
}

impl fmt::Debug for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scope)
    }
}

/// Whether an operation takes a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPolicy {
    /// None; a body within the limit is ignored.
    None,
    /// Absent or one JSON object.
    Optional,
    /// One JSON object.
    Required,
    /// Bytes, which the verb reads as they come: this many at most.
    Bytes {
        /// How many.
        max: usize,
    },
    /// Text of another protocol, whatever its media type. Such an operation speaks no JSON: its refusals are a line of text.
    Text,
}

/// A query parameter.
#[derive(Clone)]
pub struct QueryParameter {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it means.
    pub description: &'static str,
    /// Its shape.
    pub schema: RefOr<Schema>,
}

/// A request header.
#[derive(Clone, Copy, Debug)]
pub struct HeaderParameter {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it means.
    pub description: &'static str,
}

/// The successes of an operation.
#[derive(Clone, Default)]
pub struct SuccessContract {
    /// The shape of a payload in the service's envelope.
    pub payload: Option<RefOr<Schema>>,
    /// The shape of what is outside of any envelope instead, for each media type.
    pub plain: Vec<(&'static str, RefOr<Schema>)>,
    /// Whether it is bytes that are sent as they come.
    pub is_stream: bool,
    /// Whether 206 may come with a range of the bytes.
    pub may_be_partial: bool,
    /// Whether 304 may come.
    pub may_be_not_modified: bool,
    /// Whether 202 may come.
    pub may_be_accepted: bool,
}

impl Contract {
    /// An operation that may answer what every operation may.
    pub fn new(
        surface: &'static Surface,
        method: Method,
        path: &'static str,
        id: &'static str,
        limit: &'static LimitClass,
    ) -> Self {
        Self {
            surface,
            id,
            method,
            path,
            summary: "",
            description: "",
            access: Access::Undecided,
            limit,
            also_charged: Vec::new(),
            body: BodyPolicy::None,
            body_schema: None,
            path_parameters: Vec::new(),
            takes_rest: false,
            query: Vec::new(),
            headers: Vec::new(),
            takes_key: false,
            is_list: false,
            success: SuccessContract::default(),
            codes: vec![
                &code::INVALID_REQUEST,
                &code::BODY_TOO_LARGE,
                &code::RATE_LIMITED,
                &code::INTERNAL_ERROR,
                &code::TEMPORARILY_UNAVAILABLE,
            ],
            further_steps: Vec::new(),
            schemas: Vec::new(),
        }
    }

    /// The statuses that it answers with when it succeeds.
    pub fn statuses(&self) -> Vec<u16> {
        let success = &self.success;
        let rare = [(success.may_be_accepted, 202), (success.may_be_partial, 206), (success.may_be_not_modified, 304)];
        std::iter::once(200).chain(rare.into_iter().filter_map(|(may_be, status)| may_be.then_some(status))).collect()
    }

    /// One sentence for the reader of the document.
    pub fn summary(&mut self, summary: &'static str) -> &mut Self {
        self.summary = summary;
        self
    }

    /// What else its caller has to know; the document adds what the contract says of keys, scopes and limits.
    pub fn description(&mut self, description: &'static str) -> &mut Self {
        self.description = description;
        self
    }

    /// May refuse with this code.
    pub fn refuses(&mut self, code: &'static Code) -> &mut Self {
        if !self.codes.contains(&code) {
            self.codes.push(code);
        }
        self
    }

    /// May refuse with this code, and its next action may be this one.
    pub fn refuses_with(&mut self, code: &'static Code, step: NextStep) -> &mut Self {
        self.further_steps.push((code, step));
        self.refuses(code)
    }

    /// May answer 202: it goes on after the answer, and `Location` says where to look after `Retry-After` seconds.
    pub fn may_be_accepted(&mut self) -> &mut Self {
        self.success.may_be_accepted = true;
        self
    }

    /// The verb charges this limit too.
    pub fn charges(&mut self, limit: &'static LimitClass) -> &mut Self {
        self.also_charged.push(limit);
        self
    }

    /// Only for callers that hold this.
    pub fn requires(&mut self, required: Required) {
        self.access = Access::Requires(required);
        for code in [
            &code::UNAUTHORIZED,
            &code::INVALID_TOKEN,
            &code::IDENTITY_NOT_CONFIGURED,
            &code::INSUFFICIENT_SCOPE,
            &code::AUTHORIZATION_SERVER_UNREACHABLE,
        ] {
            self.refuses(code);
        }
        if let Some(step) = required.unless_checked {
            self.refuses_with(&code::INSUFFICIENT_SCOPE, step);
        }
    }

    /// What a caller must hold; `None` for a public operation.
    pub fn required(&self) -> Option<Required> {
        match self.access {
            Access::Requires(required) => Some(required),
            Access::Public | Access::Undecided => None,
        }
    }

    /// Takes a JSON object.
    pub fn takes_body<T: ToSchema + FromJson>(&mut self, policy: BodyPolicy) {
        self.body = policy;
        self.body_schema = Some(self.reference::<T>());
        let invalid_field = self.surface.invalid_field;
        self.refuses(&code::UNSUPPORTED_MEDIA_TYPE).refuses(invalid_field);
    }

    /// Takes text of another protocol than JSON, of this shape.
    pub fn takes_text(&mut self, schema: RefOr<Schema>) {
        self.body = BodyPolicy::Text;
        self.body_schema = Some(schema);
    }

    /// Takes bytes, this many at most.
    pub fn takes_bytes(&mut self, max: usize) {
        self.body = BodyPolicy::Bytes { max };
        self.body_schema = Some(bytes());
        self.refuses(&code::UNSUPPORTED_MEDIA_TYPE);
    }

    /// Bytes of a body at most.
    pub fn body_bytes(&self) -> usize {
        match self.body {
            BodyPolicy::Bytes { max } => max,
            _ => self.surface.body_bytes,
        }
    }

    /// Takes parameters of these shapes in its path; others are 404.
    pub fn takes_path(&mut self, parameters: Vec<RefOr<Schema>>) {
        self.path_parameters = parameters;
        self.refuses(&code::NOT_FOUND);
    }

    /// The names of the path's parameters, in the order of the template.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
    }

    /// Its last parameter takes the rest of the path, slashes and all.
    pub fn takes_rest_of_path(&mut self) -> &mut Self {
        self.takes_rest = true;
        self
    }

    /// The path as the router matches it.
    pub(super) fn pattern(&self) -> String {
        match self.path.strip_suffix('}') {
            Some(open) if self.takes_rest => format!("{open}:.*}}"),
            _ => self.path.to_owned(),
        }
    }

    /// Takes query parameters.
    pub fn takes_query(&mut self, parameters: Vec<QueryParameter>) {
        self.query = parameters;
        self.refuses(self.surface.invalid_field);
    }

    /// Takes a header.
    pub fn takes_header(&mut self, name: &'static str, required: bool, description: &'static str) {
        self.headers.push(HeaderParameter { name, required, description });
    }

    /// Answers 200 with a `T` in the service's envelope.
    pub fn answers_with<T: ToSchema>(&mut self) {
        self.success.payload = Some(self.reference::<T>());
    }

    /// Answers 200 with a `T` outside of any envelope.
    pub fn answers_plain<T: ToSchema>(&mut self, media_type: &'static str) {
        let schema = self.reference::<T>();
        self.success.plain.push((media_type, schema));
    }

    /// Answers 200 with bytes: of this media type, or of whatever type `*/*` turns out to be.
    pub fn answers_bytes(&mut self, media_type: &'static str) {
        self.success.is_stream = true;
        self.success.plain.push((media_type, bytes()));
    }

    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push(named::<T>);
        match T::schema() {
            // A list of items that have a name.
            list @ RefOr::T(Schema::Array(_)) => list,
            _ => Ref::from_schema_name(T::name()).into(),
        }
    }
}

/// The schema of a type, unless it is a list, and those that it refers to.
fn named<T: ToSchema>() -> NamedSchemas {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let own = T::schema();
    if !matches!(own, RefOr::T(Schema::Array(_))) {
        named.push((T::name().into_owned(), own));
    }
    named
}

fn bytes() -> RefOr<Schema> {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
}

impl QueryParameter {
    /// A text parameter.
    pub fn text(name: &'static str, required: bool, description: &'static str) -> Self {
        Self { name, required, description, schema: ObjectBuilder::new().schema_type(Type::String).into() }
    }

    /// A parameter with the form of a type that is one piece of text.
    pub fn of<T: PartialSchema>(name: &'static str, required: bool, description: &'static str) -> Self {
        Self { name, required, description, schema: T::schema() }
    }

    /// An optional integer parameter within bounds.
    pub fn integer(name: &'static str, min: i64, max: i64, description: &'static str) -> Self {
        let schema = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(min)).maximum(Some(max)).into();
        Self { name, required: false, description, schema }
    }

    /// An optional parameter that is one of these words.
    pub fn one_of<T>(name: &'static str, choices: &[(&'static str, T)], description: &'static str) -> Self {
        let words = choices.iter().map(|(word, _)| *word);
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into();
        Self { name, required: false, description, schema }
    }

    /// The `limit` of a list.
    pub fn limit() -> Self {
        Self::integer("limit", 1, limits::LIST_MAX, "Entries in the answer at most; 20 when absent.")
            .example(limits::LIST_DEFAULT)
    }

    /// The `cursor` of a list.
    pub fn cursor() -> Self {
        // No example: none would ever be accepted.
        let opaque = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]+$"));
        let description = "The `next_cursor` of the page before, as it was answered; absent: the first page. Opaque, \
                           good for an hour.";
        Self { name: "cursor", required: false, description, schema: opaque.into() }
    }

    /// Of this form, a regular expression.
    pub fn pattern(mut self, pattern: &'static str) -> Self {
        if let RefOr::T(Schema::Object(object)) = &mut self.schema {
            object.pattern = Some(pattern.to_owned());
        }
        self
    }

    /// With an example.
    pub fn example(mut self, example: impl Into<Value>) -> Self {
        if let RefOr::T(Schema::Object(object)) = &mut self.schema {
            object.examples = vec![example.into()];
        }
        self
    }
}
