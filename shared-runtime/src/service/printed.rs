//! When nobody reads on what a command prints, as behind `head`: it ends without a word, as other programs do.

use std::{
    error::Error,
    io::{self, ErrorKind},
};

/// The exit code: what a shell shows of a program that a closed pipe has ended (128 + SIGPIPE).
pub const TO_NOBODY: u8 = 141;

/// Whether a command ended because its standard output is a pipe that nobody reads.
pub fn to_nobody(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let json = || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or_else(json) == Some(ErrorKind::BrokenPipe)
}
