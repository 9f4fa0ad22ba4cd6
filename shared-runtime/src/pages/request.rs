//! Arguments of verbs of pages: a request by anyone, or by a person who has signed in.

use std::{ops::Deref, sync::Arc};

use actix_web::{HttpRequest, http::header, web};
use maud::Markup;
use shared_model::{Error, Failure, Refusal, code};

use super::{
    fields::Fields,
    forms,
    hidden_fields::KEY,
    operation::Call,
    sent_file::SentFile,
    session::Session,
    typed::{self, TypedFields, TypedText},
};
use crate::{
    context::Context,
    http::{
        admission::{self, PAGES},
        arguments::{Caller, FromPath, Permission},
        operations::Operations,
        resource_for_host,
    },
    identity::Identity,
};

/// A request for a page, by anyone.
pub struct PageRequest {
    pub context: Context,
    pub(super) http: HttpRequest,
    pub(super) fields: Arc<Fields>,
    pub(super) typed: TypedFields,
    pub(super) file: Option<SentFile>,
}

impl PageRequest {
    /// Path parameters. Text that does not parse names nothing: 404.
    pub fn path<T: FromPath>(&self) -> Result<T, Refusal> {
        let values: Vec<&str> = self.http.match_info().iter().map(|(_, value)| value).collect();
        T::from_path(&values).ok_or_else(code::not_found)
    }

    /// A query parameter, or a field of the form.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.fields.get(name)
    }

    /// What was typed into the form, with the labels that [`super::PageDeclaration::typed`] gives.
    pub fn typed(&self) -> Vec<TypedText> {
        typed::texts(&self.fields, self.typed)
    }

    /// The file of the form, if one was chosen.
    pub fn file(&self) -> Option<&SentFile> {
        self.file.as_ref()
    }

    /// The requested path with its query.
    pub fn asked(&self) -> &str {
        self.http.uri().path_and_query().map_or("/", |asked| asked.as_str())
    }

    /// The `Range` header of the request, if it has one that can be read.
    pub fn range(&self) -> Option<&str> {
        self.http.headers().get(header::RANGE).and_then(|value| value.to_str().ok())
    }

    /// State that the service provides besides its context.
    pub fn state<T: 'static>(&self) -> Result<Arc<T>, Failure> {
        let data = self.http.app_data::<web::Data<T>>();
        data.map(|data| Arc::clone(data))
            .ok_or_else(|| Failure::fault("a page needs state that the service does not provide"))
    }
}

/// A request for a page, by a person who has signed in.
pub struct SignedIn {
    visit: PageRequest,
    session: Arc<Session>,
    operations: Operations,
}

impl Deref for SignedIn {
    type Target = PageRequest;
    fn deref(&self) -> &PageRequest {
        &self.visit
    }
}

impl SignedIn {
    /// The identity that the person's bearer token would have.
    pub fn identity(&self) -> &Arc<Identity> {
        &self.session.identity
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The caller for functions of the API; 403 without the scope.
    pub fn caller<P: Permission>(&self) -> Result<Caller<P>, Refusal> {
        let challenge = resource_for_host::challenge(&self.context, &self.http);
        admission::caller(challenge, self.identity())
    }

    /// A call of an operation, under this person's grant.
    pub fn operation(&self, id: &'static str) -> Call<'_> {
        Call::new(&self.operations, id, self.value(KEY))
    }

    pub fn may(&self, id: &str) -> bool {
        self.operations.denies(id).is_none()
    }

    /// For a page that is only a form: the refusal that its operation would give.
    pub fn must_be_allowed(&self, id: &str) -> Result<(), Refusal> {
        self.operations.denies(id).map_or(Ok(()), Err)
    }

    /// A form with its hidden fields and a fresh idempotency key: submitted twice, what it does with [`Call::once`]
    /// happens once.
    pub fn form(&self, action: &str, inside: Markup) -> Markup {
        forms::form(&self.session, action, &fresh_key(), inside)
    }

    /// The same with a file input.
    pub fn file_form(&self, action: &str, inside: Markup) -> Markup {
        forms::file_form(&self.session, action, &fresh_key(), inside)
    }
}

fn fresh_key() -> String {
    format!("page-{}", hex::encode(rand::random::<[u8; 16]>()))
}

/// An argument of verbs of pages.
pub trait PageArgument: Sized + 'static {
    const SIGNS_IN: bool;
    /// `session` is `Some` if `SIGNS_IN`.
    fn from_request(visit: PageRequest, session: Option<Arc<Session>>) -> Result<Self, Error>;
}

impl PageArgument for PageRequest {
    const SIGNS_IN: bool = false;

    fn from_request(visit: PageRequest, _: Option<Arc<Session>>) -> Result<Self, Error> {
        Ok(visit)
    }
}

impl PageArgument for SignedIn {
    const SIGNS_IN: bool = true;

    fn from_request(visit: PageRequest, session: Option<Arc<Session>>) -> Result<Self, Error> {
        let session = session.ok_or_else(|| Failure::fault("a page has no session"))?;
        let identity = Arc::clone(&session.identity);
        let operations = Operations::for_identity(&visit.http, &visit.context, identity, &PAGES)?;
        Ok(Self { visit, session, operations })
    }
}
