//! The OpenAPI document, made from the verbs' own signatures.

mod complete;
mod examples;
mod operation;

use shared_model::{Code, Envelope, ErrorBody, NextAction, code};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ComponentsBuilder, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
        Schema,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    base::surface::Surface,
    http::{
        arguments::{QueryDoc, caller::Required},
        routes::{BodyPolicy, Routes},
    },
    state::rate_limit::LimitClass,
};

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
            payload.properties.insert("replayed".to_owned(), operation::boolean_schema());
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
        paths = paths.path(entry.operation.path, PathItem::new(method, operation::operation(surface, entry)));
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
