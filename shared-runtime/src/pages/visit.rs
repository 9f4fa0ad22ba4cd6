//! What a page's verb takes: a visit, of anyone or of somebody who has signed in.

use std::{ops::Deref, sync::Arc};

use actix_web::{HttpRequest, web};
use maud::Markup;
use shared_model::{Error, Failure, Refusal, code};

use super::{fields::Fields, forms, operation::Call, session::Session};
use crate::{
    context::Context,
    http::{
        admission::{self, PAGES},
        arguments::{Caller, FromPath, Permission},
        asked_resource,
        operations::Operations,
    },
    identity::Identity,
};

/// A request for a page, of whoever it may be.
pub struct Visit {
    /// The service's state.
    pub context: Context,
    pub(super) http: HttpRequest,
    pub(super) fields: Fields,
}

impl Visit {
    /// The path's parameters; text that does not parse names nothing: 404.
    pub fn path<T: FromPath>(&self) -> Result<T, Refusal> {
        let values: Vec<&str> = self.http.match_info().iter().map(|(_, value)| value).collect();
        T::from_path(&values).ok_or_else(code::not_found)
    }

    /// The value of a query parameter, or of a form's field.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.fields.get(name)
    }

    /// The path and query that were asked for.
    pub fn asked(&self) -> &str {
        self.http.uri().path_and_query().map_or("/", |asked| asked.as_str())
    }

    /// State that the service provides beside its context.
    pub fn state<T: 'static>(&self) -> Result<Arc<T>, Failure> {
        let data = self.http.app_data::<web::Data<T>>();
        data.map(|data| Arc::clone(data))
            .ok_or_else(|| Failure::fault("a page takes state that the service does not provide"))
    }
}

/// A request for a page, of somebody who has signed in.
pub struct SignedIn {
    visit: Visit,
    session: Arc<Session>,
    operations: Operations,
}

impl Deref for SignedIn {
    type Target = Visit;
    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl SignedIn {
    /// Whose session it is: what a bearer token of theirs would say.
    pub fn identity(&self) -> &Arc<Identity> {
        &self.session.identity
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The caller that a verb of the API takes; 403 without its scope.
    pub fn caller<P: Permission>(&self) -> Result<Caller<P>, Refusal> {
        let challenge = asked_resource::challenge(&self.context, &self.http);
        admission::caller(challenge, self.identity())
    }

    /// An operation of the API, to be carried out under this visitor's grant.
    pub fn operation(&self, id: &'static str) -> Call<'_> {
        Call::new(&self.operations, id, self.value(forms::KEY))
    }

    /// Whether the grant's scopes allow an operation.
    pub fn may(&self, id: &str) -> bool {
        self.operations.denies(id).is_none()
    }

    /// A form that is submitted to this path, with the hidden fields that a submission must carry, and an idempotency key of its
    /// own: submitted twice, what it does by [`Call::once`] happens once.
    pub fn form(&self, action: &str, inside: Markup) -> Markup {
        let key = format!("page-{}", hex::encode(rand::random::<[u8; 16]>()));
        forms::form(&self.session, action, &key, inside)
    }
}

/// What a page's verb takes.
pub trait Visitor: Sized + 'static {
    /// Whether it must have signed in.
    const SIGNS_IN: bool;
    /// Of a visit, and the session where there must be one.
    fn of(visit: Visit, session: Option<Arc<Session>>) -> Result<Self, Error>;
}

impl Visitor for Visit {
    const SIGNS_IN: bool = false;

    fn of(visit: Visit, _: Option<Arc<Session>>) -> Result<Self, Error> {
        Ok(visit)
    }
}

impl Visitor for SignedIn {
    const SIGNS_IN: bool = true;

    fn of(visit: Visit, session: Option<Arc<Session>>) -> Result<Self, Error> {
        let session = session.ok_or_else(|| Failure::fault("a page without the session that it needs"))?;
        let identity = Arc::clone(&session.identity);
        let operations = Operations::within(&visit.http, &visit.context, identity, &PAGES)?;
        Ok(Self { visit, session, operations })
    }
}
