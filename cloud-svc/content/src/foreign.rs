//! Files of other programs: third-party crates read them.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads such a file. A file on which its reader panics is broken.
pub fn read_or<T, E>(broken: impl FnOnce() -> E, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(broken()))
}

#[cfg(test)]
mod tests {
    use super::read_or;

    #[test]
    fn a_reader_that_panics_has_read_a_broken_file() {
        let read = |bytes: &[u8]| read_or(|| "broken", || if bytes[0] == b'?' { Err("unknown") } else { Ok(bytes[0]) });
        assert_eq!([read(b"x"), read(b"?"), read(b"")], [Ok(b'x'), Err("unknown"), Err("broken")]);
    }
}
