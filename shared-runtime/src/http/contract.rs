//! What an operation takes and answers. Admission, the edge, the OpenAPI document, MCP tools and the test suites all
//! read it.

use std::fmt;

use actix_web::http::Method;
use serde_json::Value;
use shared_model::{Code, FromJson, Refusal, code, limits, refusal::NextStep};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, Ref, RefOr, Schema, SchemaFormat, Type},
};

use crate::{base::surface::Surface, identity::Identity, state::rate_limit::LimitClass};

/// One operation. The verb's arguments and its success describe themselves; the route adds what the signature does
/// not say.
#[derive(Clone)]
pub struct Contract {
    pub surface: &'static Surface,
    /// The operation id. Idempotency keys are bound to it, so it never changes.
    pub id: &'static str,
    pub method: Method,
    pub path: &'static str,
    /// One sentence for the reader of the document.
    pub summary: &'static str,
    /// What happens, and what the caller does next.
    pub description: &'static str,
    pub access: Access,
    pub limit: &'static LimitClass,
    /// Limits that the verb charges in addition to `limit`.
    pub also_charged: Vec<&'static LimitClass>,
    pub body: BodyPolicy,
    pub body_schema: Option<RefOr<Schema>>,
    /// In the order of the template.
    pub path_parameters: Vec<RefOr<Schema>>,
    /// The last path parameter takes the rest of the path, with slashes.
    pub takes_rest: bool,
    pub query: Vec<QueryParameter>,
    pub headers: Vec<HeaderParameter>,
    /// Takes an idempotency key, so that a client can send it again.
    pub takes_key: bool,
    /// Its answers belong to one grant, and are replayed to no other.
    pub is_of_grant: bool,
    /// The member of its answer that is a secret. The idempotency record has it encrypted.
    pub secret_member: Option<&'static str>,
    /// Answers page by page, with a cursor.
    pub is_list: bool,
    /// A body that is not even JSON is refused as JSON-RPC wants it.
    pub speaks_json_rpc: bool,
    /// What it answers with when it succeeds.
    pub success: SuccessContract,
    /// Every code that it may refuse with.
    pub codes: Vec<&'static Code>,
    /// Next actions other than the codes' own.
    pub further_steps: Vec<(&'static Code, NextStep)>,
    /// Makes the component schemas on demand: a running service does not keep them in memory.
    pub schemas: Vec<fn() -> NamedSchemas>,
}

pub type NamedSchemas = Vec<(String, RefOr<Schema>)>;

#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// The verb's first argument has not decided it yet.
    Undecided,
    Public,
    Requires(Required),
}

#[derive(Clone, Copy)]
pub struct Required {
    pub scope: &'static str,
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
    /// No body; JSON within the limit is ignored.
    None,
    Optional,
    Required,
    /// A stream of at most this many bytes.
    Bytes {
        max: usize,
    },
    /// Text, whatever its media type. Such an operation speaks no JSON: its refusals are a line of text.
    Text,
}

#[derive(Clone)]
pub struct QueryParameter {
    pub name: &'static str,
    pub required: bool,
    pub description: &'static str,
    pub schema: RefOr<Schema>,
}

#[derive(Clone, Copy, Debug)]
pub struct HeaderParameter {
    pub name: &'static str,
    pub required: bool,
    pub description: &'static str,
}

#[derive(Clone, Default)]
pub struct SuccessContract {
    pub payload: Option<RefOr<Schema>>,
    /// Without an envelope, by media type.
    pub plain: Vec<(&'static str, RefOr<Schema>)>,
    /// Bytes that are sent as they come.
    pub is_stream: bool,
    /// 206 with a range of the bytes is possible.
    pub may_be_partial: bool,
    pub may_be_not_modified: bool,
    pub may_be_accepted: bool,
}

impl Contract {
    /// With the codes that every operation can refuse with.
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
            is_of_grant: false,
            secret_member: None,
            is_list: false,
            speaks_json_rpc: false,
            success: SuccessContract::default(),
            codes: vec![
                &code::INVALID_REQUEST,
                &code::BODY_TOO_LARGE,
                &code::UNSUPPORTED_MEDIA_TYPE,
                &code::RATE_LIMITED,
                &code::TOO_MUCH_AT_ONCE,
                &code::INTERNAL_ERROR,
                &code::TEMPORARILY_UNAVAILABLE,
            ],
            further_steps: Vec::new(),
            schemas: Vec::new(),
        }
    }

    /// The statuses of its successes.
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

    /// The document adds the paragraphs about keys, scopes and limits.
    pub fn description(&mut self, description: &'static str) -> &mut Self {
        self.description = description;
        self
    }

    pub fn refuses(&mut self, code: &'static Code) -> &mut Self {
        // Several arguments may add the same code.
        if !self.codes.contains(&code) {
            self.codes.push(code);
        }
        self
    }

    /// May refuse with this code and this next action.
    pub fn refuses_with(&mut self, code: &'static Code, step: NextStep) -> &mut Self {
        self.further_steps.push((code, step));
        self.refuses(code)
    }

    /// May answer 202: the work continues after the answer, and `Location` says where to look.
    pub fn may_be_accepted(&mut self) -> &mut Self {
        self.success.may_be_accepted = true;
        self
    }

    /// Its answers belong to one grant: a key of another grant of the same actor is another key.
    pub fn of_grant(&mut self) -> &mut Self {
        self.is_of_grant = true;
        self
    }

    /// This member of its answer is a secret, so the answer belongs to one grant, and a lookup leaves the member out.
    pub fn shows_secret(&mut self, member: &'static str) -> &mut Self {
        self.secret_member = Some(member);
        self.of_grant()
    }

    /// The verb charges this limit too.
    pub fn charges(&mut self, limit: &'static LimitClass) -> &mut Self {
        self.also_charged.push(limit);
        self
    }

    /// Only for callers that hold this.
    pub fn requires(&mut self, required: Required) {
        self.access = Access::Requires(required);
        // Every protected operation can refuse with these, whatever its verb does.
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

    /// `None` for a public operation.
    pub fn required(&self) -> Option<Required> {
        match self.access {
            Access::Requires(required) => Some(required),
            Access::Public | Access::Undecided => None,
        }
    }

    pub fn takes_body<T: ToSchema + FromJson>(&mut self, policy: BodyPolicy) {
        self.body = policy;
        self.body_schema = Some(self.reference::<T>());
        self.refuses(self.surface.invalid_field);
    }

    pub fn takes_text(&mut self, schema: RefOr<Schema>) {
        self.body = BodyPolicy::Text;
        self.body_schema = Some(schema);
        self.codes.retain(|code| **code != code::UNSUPPORTED_MEDIA_TYPE);
    }

    /// Takes bytes, this many at most.
    pub fn takes_bytes(&mut self, max: usize) {
        self.body = BodyPolicy::Bytes { max };
        self.body_schema = Some(bytes());
    }

    /// Bytes of a body at most.
    pub fn body_bytes(&self) -> usize {
        match self.body {
            BodyPolicy::Bytes { max } => max,
            _ => self.surface.body_bytes,
        }
    }

    /// Takes path parameters of these shapes; other text is 404.
    pub fn takes_path(&mut self, parameters: Vec<RefOr<Schema>>) {
        self.path_parameters = parameters;
        self.refuses(&code::NOT_FOUND);
    }

    /// In the order of the template.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
    }

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

    pub fn takes_query(&mut self, parameters: Vec<QueryParameter>) {
        self.query = parameters;
        self.refuses(self.surface.invalid_field);
    }

    pub fn takes_header(&mut self, name: &'static str, required: bool, description: &'static str) {
        // The document, the tools and the hostile suite read this list, so a header that is not here is never tried.
        self.headers.push(HeaderParameter { name, required, description });
    }

    pub fn answers_with<T: ToSchema>(&mut self) {
        self.success.payload = Some(self.reference::<T>());
    }

    pub fn answers_plain<T: ToSchema>(&mut self, media_type: &'static str) {
        let schema = self.reference::<T>();
        self.success.plain.push((media_type, schema));
    }

    /// Answers 200 with bytes. `*/*` stands for any media type.
    pub fn answers_bytes(&mut self, media_type: &'static str) {
        self.success.is_stream = true;
        self.success.plain.push((media_type, bytes()));
    }

    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push(named::<T>);
        match T::schema() {
            // A list of named items needs no name of its own.
            list @ RefOr::T(Schema::Array(_)) => list,
            // Bytes have no example, which their format must say in place.
            RefOr::T(Schema::Object(object))
                if object.format == Some(SchemaFormat::KnownFormat(KnownFormat::Binary)) =>
            {
                object.into()
            }
            _ => Ref::from_schema_name(T::name()).into(),
        }
    }
}

/// The schema of a type and all that it refers to.
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
    pub fn text(name: &'static str, required: bool, description: &'static str) -> Self {
        Self { name, required, description, schema: ObjectBuilder::new().schema_type(Type::String).into() }
    }

    /// A text parameter with the form of a type.
    pub fn typed<T: PartialSchema>(name: &'static str, required: bool, description: &'static str) -> Self {
        Self { name, required, description, schema: T::schema() }
    }

    /// An optional integer parameter within bounds.
    pub fn integer(name: &'static str, min: i64, max: i64, description: &'static str) -> Self {
        let schema = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(min)).maximum(Some(max)).into();
        Self { name, required: false, description, schema }
    }

    /// Optional; one of these words.
    pub fn one_of<T>(name: &'static str, choices: &[(&'static str, T)], description: &'static str) -> Self {
        let words = choices.iter().map(|(word, _)| *word);
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into();
        Self { name, required: false, description, schema }
    }

    pub fn limit() -> Self {
        Self::integer("limit", 1, limits::LIST_MAX, "Entries in the answer at most; 20 when absent.")
            .example(limits::LIST_DEFAULT)
    }

    pub fn cursor() -> Self {
        // No example: none would be accepted.
        let opaque = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]+$"));
        let description = "The `next_cursor` of the previous page; absent: the first page. Opaque, \
                           valid for an hour.";
        Self { name: "cursor", required: false, description, schema: opaque.into() }
    }

    /// Of this form, a regular expression.
    pub fn pattern(mut self, pattern: &'static str) -> Self {
        if let RefOr::T(Schema::Object(object)) = &mut self.schema {
            object.pattern = Some(pattern.to_owned());
        }
        self
    }

    pub fn example(mut self, example: impl Into<Value>) -> Self {
        if let RefOr::T(Schema::Object(object)) = &mut self.schema {
            object.examples = vec![example.into()];
        }
        self
    }
}
