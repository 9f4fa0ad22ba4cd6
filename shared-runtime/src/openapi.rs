//! The OpenAPI document, made from the verbs' own signatures.

mod complete;
mod examples;

use serde_json::Value;
use shared_model::{ErrorBody, NextAction};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ComponentsBuilder, Content, ContentBuilder, HttpMethod, InfoBuilder, KnownFormat, ObjectBuilder, OpenApi,
        OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr, Required as Presence, ResponseBuilder, Schema,
        SchemaFormat, Type,
        path::{OperationBuilder, ParameterBuilder, ParameterIn},
        request_body::RequestBodyBuilder,
        schema::SchemaType,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use crate::{
    Code, Routes, Surface,
    arguments::QueryDoc,
    caller::Required,
    code,
    rate_limit::LimitClass,
    routes::{BodyPolicy, Entry},
};
use shared_model::Envelope;

/// What the signature of a verb says to the reader of the document.
pub struct OperationDoc {
    surface: &'static Surface,
    id: &'static str,
    path: &'static str,
    says: &'static str,
    access: Option<Option<Required>>,
    body: Option<(RefOr<Schema>, bool)>,
    in_path: Vec<RefOr<Schema>>,
    query: Vec<QueryDoc>,
    headers: Vec<(&'static str, bool, &'static str)>,
    answer: Option<RefOr<Schema>>,
    /// Whether it answers with bytes of any kind instead.
    is_binary: bool,
    partial: bool,
    not_modified: bool,
    accepts: bool,
    codes: Vec<&'static Code>,
    charged: Vec<&'static LimitClass>,
    /// What comes with a code of the operation's own.
    actions: Vec<(&'static Code, NextAction)>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl OperationDoc {
    /// An operation of which nothing but its name is known yet.
    pub fn new(surface: &'static Surface, id: &'static str, path: &'static str, says: &'static str) -> Self {
        Self {
            surface,
            id,
            path,
            says,
            access: None,
            body: None,
            in_path: Vec::new(),
            query: Vec::new(),
            headers: Vec::new(),
            answer: None,
            is_binary: false,
            partial: false,
            not_modified: false,
            accepts: false,
            codes: vec![&code::RATE_LIMITED, &code::INTERNAL_ERROR, &code::TEMPORARILY_UNAVAILABLE],
            charged: Vec::new(),
            actions: Vec::new(),
            schemas: Vec::new(),
        }
    }

    /// Only for callers that hold this.
    pub fn requires(&mut self, required: Required) {
        self.access = Some(Some(required));
        for code in [
            &code::UNAUTHORIZED,
            &code::INVALID_TOKEN,
            &code::IDENTITY_NOT_CONFIGURED,
            &code::INSUFFICIENT_SCOPE,
            &code::AUTHORIZATION_SERVER_UNREACHABLE,
        ] {
            self.refuses(code);
        }
    }

    /// For everyone.
    pub fn is_public(&mut self) {
        self.access = Some(None);
    }

    /// Takes a JSON object.
    pub fn takes_body<T: ToSchema>(&mut self, required: bool) {
        self.body = Some((self.reference::<T>(), required));
        for code in
            [&code::INVALID_REQUEST, &code::BODY_TOO_LARGE, &code::UNSUPPORTED_MEDIA_TYPE, self.surface.invalid_field]
        {
            self.refuses(code);
        }
    }

    /// Takes parameters of these forms in its path, in the order of the template.
    pub fn takes_path(&mut self, parameters: Vec<RefOr<Schema>>) {
        self.in_path = parameters;
        self.refuses(&code::NOT_FOUND);
    }

    /// Takes query parameters.
    pub fn takes_query(&mut self, parameters: Vec<QueryDoc>) {
        if parameters.iter().any(|parameter| parameter.name == "cursor") {
            self.refuses(&code::INVALID_CURSOR);
        }
        self.query = parameters;
        self.refuses(&code::INVALID_REQUEST);
        self.refuses(self.surface.invalid_field);
    }

    /// Takes a header.
    pub fn takes_header(&mut self, name: &'static str, required: bool, says: &'static str) {
        self.headers.push((name, required, says));
        if required {
            self.refuses(&code::INVALID_REQUEST);
        }
    }

    /// Answers 200 with a `T` in the service's envelope.
    pub fn answers_with<T: ToSchema>(&mut self) {
        let reference = self.reference::<T>();
        if self.surface.envelope == Envelope::TopLevel
            && let Some((_, RefOr::T(Schema::Object(payload)))) = self.schemas.last_mut()
        {
            // The envelope's members stand beside the payload's, so they belong to its schema.
            payload.properties.insert("request_id".to_owned(), complete::request_id());
            payload.properties.insert("replayed".to_owned(), boolean_schema());
        }
        self.answer = Some(reference);
    }

    /// Answers 200 with something outside the envelope.
    pub fn answers_plainly(&mut self) {
        self.answer = None;
    }

    /// Answers 200 with bytes of any media type.
    pub fn answers_with_bytes(&mut self) {
        self.is_binary = true;
    }

    /// May answer 206 with a range of the bytes.
    pub fn may_be_partial(&mut self) {
        self.partial = true;
    }

    /// May answer 304.
    pub fn may_be_not_modified(&mut self) {
        self.not_modified = true;
    }

    /// May answer 202: it goes on after the answer, and `Location` tells where to look after `Retry-After` seconds.
    pub fn may_go_on(&mut self) -> &mut Self {
        self.accepts = true;
        self
    }

    /// May refuse with this code.
    pub fn refuses(&mut self, code: &'static Code) -> &mut Self {
        if !self.codes.contains(&code) {
            self.codes.push(code);
        }
        self
    }

    /// May refuse with this code, and then tells a program to do this.
    pub fn refuses_then(&mut self, code: &'static Code, action: NextAction) -> &mut Self {
        self.actions.push((code, action));
        self.refuses(code)
    }

    /// Charges this limit too, beside that of its route.
    pub fn charges(&mut self, limit: &'static LimitClass) -> &mut Self {
        self.charged.push(limit);
        self
    }

    pub(crate) fn charged(&self) -> &[&'static LimitClass] {
        &self.charged
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.access.is_some()
    }

    /// What a caller must hold.
    pub fn permission(&self) -> Option<Required> {
        self.access.flatten()
    }

    pub(crate) fn takes_key(&self) -> bool {
        self.codes.contains(&&code::IDEMPOTENCY_KEY_REQUIRED)
    }

    pub(crate) fn body_policy(&self) -> BodyPolicy {
        match self.body {
            None => BodyPolicy::None,
            Some((_, true)) => BodyPolicy::Required,
            Some((_, false)) => BodyPolicy::Optional,
        }
    }

    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        T::schemas(&mut self.schemas);
        match T::schema() {
            RefOr::T(Schema::Object(object)) => {
                self.schemas.push((T::name().into_owned(), RefOr::T(Schema::Object(object))));
                Ref::from_schema_name(T::name()).into()
            }
            inline => inline,
        }
    }
}

/// The whole document of a service.
pub fn document(surface: &'static Surface, routes: &Routes) -> OpenApi {
    let mut document = outline(surface, routes);
    complete::complete(&mut document, routes);
    document
}

/// The places of the document that lack an example: operation, request or status, and the way through the schema.
pub fn lacking_examples(surface: &'static Surface, routes: &Routes) -> Vec<String> {
    complete::complete(&mut outline(surface, routes), routes)
}

fn outline(surface: &'static Surface, routes: &Routes) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut components = ComponentsBuilder::new().schema("ErrorBody", ErrorBody::schema()).security_scheme(
        "bearer",
        SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build()),
    );
    let mut schemas = Vec::new();
    ErrorBody::schemas(&mut schemas);
    for entry in routes.entries() {
        schemas.extend(entry.doc.schemas.iter().cloned());
        let method = if entry.operation.method == "POST" { HttpMethod::Post } else { HttpMethod::Get };
        paths = paths.path(entry.operation.path, PathItem::new(method, operation(surface, entry)));
    }
    schemas.sort_by(|a, b| a.0.cmp(&b.0));
    schemas.dedup_by(|a, b| a.0 == b.0);
    components = components.schemas_from_iter(schemas);
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title(surface.title).version(surface.version))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// The document as it is checked in and served: two spaces of indentation, a line feed at the end.
pub fn text(surface: &'static Surface, routes: &Routes) -> String {
    let mut text = document(surface, routes).to_pretty_json().expect("a document of ours is JSON");
    text.push('\n');
    text
}

fn operation(surface: &Surface, entry: &Entry) -> utoipa::openapi::path::Operation {
    let doc = &entry.doc;
    let mut operation = OperationBuilder::new().operation_id(Some(doc.id)).summary(Some(doc.says)).tag(surface.name);
    let names = doc.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    for (name, schema) in names.zip(&doc.in_path) {
        operation = operation.parameter(parameter(name, ParameterIn::Path, true, "", schema.clone()));
    }
    for QueryDoc { name, required, says, schema } in &doc.query {
        operation = operation.parameter(parameter(name, ParameterIn::Query, *required, says, schema.clone()));
    }
    for (name, required, says) in &doc.headers {
        operation =
            operation.parameter(parameter(name, ParameterIn::Header, *required, says, complete::request_header(name)));
    }
    if let Some((schema, required)) = &doc.body {
        let presence = if *required { Presence::True } else { Presence::False };
        let content = ContentBuilder::new().schema(Some(schema.clone())).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new().content("application/json", content).required(Some(presence)).build(),
        ));
    }
    if let Some(required) = doc.permission() {
        operation = operation.security(SecurityRequirement::new("bearer", [required.scope]));
    }
    let mut success = ResponseBuilder::new().description("Success.");
    if let Some(schema) = &doc.answer {
        let content = ContentBuilder::new().schema(Some(wrapped(surface, doc, schema))).build();
        success = success.content("application/json", content);
    }
    if doc.is_binary {
        success = success.content("application/octet-stream", bytes_content());
    }
    let success = success.build();
    if doc.accepts {
        let mut accepted = success.clone();
        accepted.description = "Accepted; it goes on.".to_owned();
        operation = operation.response("202", accepted);
    }
    operation = operation.response("200", success);
    if doc.partial {
        let partial = ResponseBuilder::new().description("The range that was asked for.");
        let partial = partial.content("application/octet-stream", bytes_content());
        operation = operation.response("206", partial.build());
    }
    if doc.not_modified {
        operation = operation.response("304", ResponseBuilder::new().description("You have it already.").build());
    }
    let mut codes = doc.codes.clone();
    codes.sort_by_key(|code| (code.status, code.name));
    for group in codes.chunk_by(|a, b| a.status == b.status) {
        let names: Vec<_> = group.iter().map(|code| format!("`{}`", code.name)).collect();
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
        let response = ResponseBuilder::new().description(names.join(", ")).content("application/json", content);
        operation = operation.response(group[0].status.to_string(), response.build());
    }
    operation.build()
}

fn wrapped(surface: &Surface, doc: &OperationDoc, payload: &RefOr<Schema>) -> RefOr<Schema> {
    if surface.envelope == Envelope::TopLevel {
        return payload.clone();
    }
    let mut meta = ObjectBuilder::new().property("request_id", complete::request_id()).required("request_id");
    if doc.query.iter().any(|parameter| parameter.name == "cursor") {
        meta = meta.property(
            "next_cursor",
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null])).examples([Value::Null]),
        );
    }
    if doc.takes_key() {
        meta = meta.property("replayed", boolean_schema());
    }
    ObjectBuilder::new()
        .property("data", payload.clone())
        .required("data")
        .property("meta", meta)
        .required("meta")
        .into()
}

fn bytes_content() -> Content {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    let schema = ObjectBuilder::new().schema_type(Type::String).format(Some(format));
    ContentBuilder::new().schema(Some(RefOr::from(schema))).build()
}

fn boolean_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}

fn text_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn parameter(
    name: &str,
    place: ParameterIn,
    required: bool,
    says: &str,
    schema: RefOr<Schema>,
) -> utoipa::openapi::path::Parameter {
    let presence = if required { Presence::True } else { Presence::False };
    let example = serde_json::to_value(&schema).ok().and_then(|schema| examples::of(&schema, &Value::Null).ok());
    ParameterBuilder::new()
        .example(example)
        .name(name)
        .parameter_in(place)
        .required(presence)
        .description((!says.is_empty()).then_some(says))
        .schema(Some(schema))
        .build()
}
