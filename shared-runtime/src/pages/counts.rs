//! Counts next to links of the header.

use std::sync::Arc;

use actix_web::{HttpMessage as _, HttpRequest, web};
use shared_model::Error;

use super::{
    declaration::Site,
    request::{PageArgument as _, PageRequest, SignedIn},
    session::Session,
};
use crate::http::argument;

/// The counts of a request, by the path of their link.
pub struct Counts(Vec<(&'static str, String)>);

impl Counts {
    pub fn of(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(counted, _)| *counted == path).map(|(_, count)| count.as_str())
    }
}

/// Adds them to the request, for the layout. Without a session there are none.
pub async fn add(request: &HttpRequest) -> Result<(), Error> {
    let Some(session) = request.extensions().get::<Arc<Session>>().cloned() else { return Ok(()) };
    let Some(site) = request.app_data::<web::Data<Site>>() else { return Ok(()) };
    let mut counts = Vec::new();
    for (path, count) in site.links.iter().filter_map(|link| link.count.map(|count| (link.path, count))) {
        let (context, http) = (argument::context(request).clone(), request.clone());
        // Without the fields of the request: they are for its page.
        let visit = PageRequest { context, http, fields: Arc::default(), typed: &[], file: None };
        match count(SignedIn::from_request(visit, Some(Arc::clone(&session)))?).await {
            Ok(count) => counts.extend(count.map(|count| (path, count))),
            // Who may not see what waits still sees the page.
            Err(Error::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    // As an extension: pages of refusals are made where there is no way to count.
    request.extensions_mut().insert(Counts(counts));
    Ok(())
}
