//! A failure is the service's fault. Its text is not public; the edge logs it once, with the request id.

use std::{error::Error, fmt};

/// 500, or 503 if waiting helps.
// It never converts into a `Refusal`: a cause must not become text for a client.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    what: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    is_already_logged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only a person: 500.
    Fault,
    /// Time: a database, another server or a queue is not available: 503.
    Unavailable,
    /// Another run of the transaction: a serialization failure or a lost race. 503 after the last try.
    Conflict,
}

impl Failure {
    pub fn fault(what: impl Into<String>) -> Self {
        Self::new(Kind::Fault, what)
    }

    pub fn unavailable(what: impl Into<String>) -> Self {
        Self::new(Kind::Unavailable, what)
    }

    pub fn conflict(what: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, what)
    }

    fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), source: None, is_already_logged: false }
    }

    pub fn from_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    // The outage was logged with its cause; it must not be logged again for each request.
    pub fn already_logged(mut self) -> Self {
        self.is_already_logged = true;
        self
    }

    /// With another text, and the same cause.
    pub fn about(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }

    pub fn is_already_logged(&self) -> bool {
        self.is_already_logged
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.what.clone();
        let mut source = self.source();
        while let Some(error) = source {
            let cause = error.to_string();
            // Some errors repeat the text of their cause.
            if !text.contains(&cause) {
                text = format!("{text}: {cause}");
            }
            source = error.source();
        }
        f.write_str(&text)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as &(dyn Error + 'static))
    }
}

#[cfg(feature = "diesel")]
impl From<diesel::result::Error> for Failure {
    fn from(error: diesel::result::Error) -> Self {
        use diesel::result::{DatabaseErrorKind as K, Error as E};
        let kind = match &error {
            E::DatabaseError(K::SerializationFailure | K::UniqueViolation, _) => Kind::Conflict,
            // diesel has no kind for PostgreSQL's deadlocks.
            E::DatabaseError(_, info) if info.message() == "deadlock detected" => Kind::Conflict,
            E::DatabaseError(_, info) if is_transient(info.message()) => Kind::Unavailable,
            E::DatabaseError(K::ClosedConnection | K::UnableToSendCommand | K::ReadOnlyTransaction, _)
            | E::BrokenTransactionManager => Kind::Unavailable,
            _ => Kind::Fault,
        };
        Self::new(kind, "database").from_source(error)
    }
}

// True for errors that waiting may resolve, though diesel has no kind for them. These are a lock held by another
// connection, a statement that was cancelled, a disk that is full or unreadable.
#[cfg(feature = "diesel")]
fn is_transient(message: &str) -> bool {
    message.starts_with("canceling statement due to")
        // PostgreSQL's disk is full. It names the file before.
        || message.ends_with(": No space left on device")
        || matches!(
            message,
            "database is locked"
                | "database table is locked"
                | "database or disk is full"
                | "disk I/O error"
                | "unable to open database file"
        )
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::fault("JSON made or stored by the service").from_source(error)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    // Repeats its cause, like the errors of the blob stores.
    #[derive(Debug)]
    struct Repeats(Box<dyn Error + Send + Sync>);

    impl fmt::Display for Repeats {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "cannot write x: {}", self.0)
        }
    }

    impl Error for Repeats {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&*self.0)
        }
    }

    #[test]
    fn a_repeated_cause_is_described_once() {
        let disk = io::Error::other("no space left");
        let failure = Failure::unavailable("the blob store could not write").from_source(Repeats(Box::new(disk)));
        assert_eq!(failure.to_string(), "the blob store could not write: cannot write x: no space left");
    }

    #[cfg(feature = "diesel")]
    #[test]
    fn a_disk_that_cannot_be_written_is_worth_another_try() {
        use diesel::result::{DatabaseErrorKind, Error};
        let kind = |message: &str| {
            Failure::from(Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(message.to_owned()))).kind()
        };
        for message in [
            "database or disk is full",
            "disk I/O error",
            "could not extend file \"base/5/16384\": No space left on device",
        ] {
            assert_eq!(kind(message), Kind::Unavailable, "{message}");
        }
        // The second is said of a query that writes.
        for message in ["database disk image is malformed", "attempt to write a readonly database"] {
            assert_eq!(kind(message), Kind::Fault, "{message}");
        }
    }
}
