//! Commands that happen once (spec: Idempotency-Key): the key's row, the effect and the stored answer in one commit.

use actix_web::HttpRequest;

use crate::{Answer, Conn, Desk, Failure, Halt, arguments::Argument, code, openapi::OperationDoc, routes::Operation};

/// A command's idempotency key, with all that it is bound to.
pub struct Once {
    _private: (),
}

impl Argument for Once {
    fn describe(doc: &mut OperationDoc) {
        doc.takes_header("Idempotency-Key", true, "1 to 255 visible ASCII characters; the same key never acts twice.");
        doc.refuses(&code::IDEMPOTENCY_KEY_REQUIRED);
        doc.refuses(&code::IDEMPOTENCY_KEY_REUSED);
        doc.refuses(&code::IDEMPOTENCY_IN_PROGRESS);
    }

    fn extract(_: &HttpRequest, _: &Operation) -> Result<Self, Halt> {
        Err(Failure::fault("not yet").into())
    }
}

impl Desk {
    /// Runs a command's deed exactly once for its key: replays the answer of an earlier run, waits for a parallel one.
    pub async fn once<T: 'static>(
        &self,
        _once: Once,
        _deed: impl Fn(&mut Conn) -> Result<Answer<T>, Halt> + Send + 'static,
    ) -> Result<Answer<T>, Halt> {
        Err(Failure::fault("not yet").into())
    }
}
