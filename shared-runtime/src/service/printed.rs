//! Commands whose output nobody reads to the end, as with `| head`: they end silently, like other programs.

use std::{
    error::Error,
    io::{self, ErrorKind},
};

/// As a shell reports a program that was ended by a closed pipe (128 + SIGPIPE).
pub const CLOSED_PIPE: u8 = 141;

/// Whether the error is that nobody reads standard output.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let json = || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or_else(json) == Some(ErrorKind::BrokenPipe)
}
