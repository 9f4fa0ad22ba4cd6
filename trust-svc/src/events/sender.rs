//! Who sends a publication, beside who signed it: its `Origin` and its network address.

use actix_web::HttpRequest;
use shared_model::{Error, NextAction};
use shared_runtime::http::{
    admission,
    arguments::{self, Argument},
    edge,
    openapi::OperationDoc,
    routes::Operation,
};

use crate::codes;

/// The sender of a publication.
pub struct Sender {
    /// The `Origin` header: where in a browser the request comes from; none from elsewhere.
    pub origin: Option<String>,
    /// The source address, as limits count it.
    pub address: String,
}

impl Argument for Sender {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_header(
            "Origin",
            false,
            "Sent by browsers; must be one that the signer publishes from, never `null`.",
        );
    }

    fn extract(request: &HttpRequest, _: &Operation) -> Result<Self, Error> {
        let origin = arguments::single_header(request, "Origin")?;
        if origin == Some("null") {
            let refusal = codes::ORIGIN_DENIED.because("An opaque Origin (null) may not publish.");
            return Err(refusal.next(NextAction::ContactSupport).into());
        }
        let address = admission::address(edge::context(request), request);
        Ok(Self { origin: origin.map(str::to_owned), address })
    }
}
