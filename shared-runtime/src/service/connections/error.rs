//! Errors that end a connection before its first request.

use std::io;

use actix_http::error::DispatchError;

/// The reason is in the log at debug level.
pub(super) fn refused(why: &'static str) -> DispatchError {
    DispatchError::Io(io::Error::other(why))
}
