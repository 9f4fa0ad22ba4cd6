//! State that verbs work on.

use std::sync::Arc;

use actix_web::web;
use shared_model::{Error, Failure};

use crate::{
    context::Context,
    http::{
        argument::{AdmittedRequest, Argument},
        contract::Contract,
    },
};

/// State of one service, provided by `Service::state` or `Service::prepared`.
pub struct State<T: ?Sized>(pub Arc<T>);

impl<T: 'static> Argument for State<T> {
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        match request.http.app_data::<web::Data<T>>() {
            Some(data) => Ok(Self(Arc::clone(data))),
            None => Err(Failure::fault("a verb takes state that the service does not provide").into()),
        }
    }
}

impl Argument for Context {
    fn describe(_: &mut Contract) {}

    fn extract(request: &AdmittedRequest<'_>) -> Result<Self, Error> {
        Ok(request.context.clone())
    }
}
