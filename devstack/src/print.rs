//! Standard output. When nobody reads it any more, as behind `head`, that is no mistake.

use std::io::{self, ErrorKind, Write as _};

use crate::error::{StackError, cannot};

/// Prints all of a text.
pub fn print(text: &str) -> Result<(), StackError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed.map_err(cannot("print")),
    }
}
