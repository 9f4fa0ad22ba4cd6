//! Why a connection ends before its first request.

use std::io;

use actix_http::error::DispatchError;

/// With this reason, for the log at debug level.
pub(super) fn refused(why: &'static str) -> DispatchError {
    DispatchError::Io(io::Error::other(why))
}
