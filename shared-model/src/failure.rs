//! A failure is the service's fault, not the caller's. Its text is not public; it is logged once, at the edge, with the request id.

use std::{error::Error, fmt};

/// Something broke in the service: 500, or 503 when waiting helps.
///
/// There is no conversion between this and [`crate::Refusal`]: a cause never becomes text for a client.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    what: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    is_already_logged: bool,
}

/// What may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but a person: 500.
    Fault,
    /// Time: a database, an upstream or a queue is not there right now: 503.
    Unavailable,
    /// Running the transaction again: a serialization failure or a lost race. 503 when the tries are used up.
    Conflict,
}

impl Failure {
    /// Waiting does not help: 500.
    pub fn fault(what: impl Into<String>) -> Self {
        Self::new(Kind::Fault, what)
    }

    /// Something that the service needs is not there right now: 503.
    pub fn unavailable(what: impl Into<String>) -> Self {
        Self::new(Kind::Unavailable, what)
    }

    /// Another run of the transaction may succeed.
    pub fn conflict(what: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, what)
    }

    fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), source: None, is_already_logged: false }
    }

    /// With the error that led here.
    pub fn from_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// As a part of an outage that is in the log already, with its cause: it is not logged for each request again.
    pub fn already_logged(mut self) -> Self {
        self.is_already_logged = true;
        self
    }

    /// Whether the outage that it belongs to is in the log already.
    pub fn is_already_logged(&self) -> bool {
        self.is_already_logged
    }

    /// What may help.
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
            // Some errors repeat the text of the one that caused them.
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

impl From<diesel::result::Error> for Failure {
    fn from(error: diesel::result::Error) -> Self {
        use diesel::result::{DatabaseErrorKind as K, Error as E};
        let kind = match &error {
            E::DatabaseError(K::SerializationFailure | K::UniqueViolation, _) => Kind::Conflict,
            // PostgreSQL reports a deadlock without a kind of its own.
            E::DatabaseError(_, info) if info.message() == "deadlock detected" => Kind::Conflict,
            E::DatabaseError(_, info) if is_transient(info.message()) => Kind::Unavailable,
            E::DatabaseError(K::ClosedConnection | K::UnableToSendCommand | K::ReadOnlyTransaction, _)
            | E::BrokenTransactionManager => Kind::Unavailable,
            _ => Kind::Fault,
        };
        Self::new(kind, "database").from_source(error)
    }
}

/// Whether waiting helps, though diesel has no kind for it: a lock that another connection holds, a statement that took too
/// long, a disk that is full or cannot be read.
fn is_transient(message: &str) -> bool {
    message.starts_with("canceling statement due to")
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

    /// An error that repeats its cause in its own words, as those of the blob stores do.
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
    fn a_cause_that_is_repeated_on_the_way_is_described_once() {
        let disk = io::Error::other("no space left");
        let failure = Failure::unavailable("the blob store could not write").from_source(Repeats(Box::new(disk)));
        assert_eq!(failure.to_string(), "the blob store could not write: cannot write x: no space left");
    }
}
