//! Places where a test makes a command fail.

use shared_model::Failure;

use crate::base::failpoint;

/// A place in the course of a command. Tests set the failpoint `command::fault` to `return(PLACE KEY)`, so that only the
/// command with this idempotency key fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the transaction, before it does anything.
    Before,
    /// In the transaction, after all of its effects.
    Inside,
    /// After the commit, before the answer.
    After,
}

/// Where this command fails; nowhere, without a test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    place: Option<Place>,
    panics: bool,
}

impl Fault {
    pub(super) fn of(key: &str) -> Self {
        let set = failpoint::value("command::fault");
        let place = set.as_deref().and_then(|set| set.strip_suffix(key)).map(str::trim_end);
        Self {
            place: match place {
                Some("before") => Some(Place::Before),
                Some("inside" | "panic") => Some(Place::Inside),
                Some("after") => Some(Place::After),
                _ => None,
            },
            panics: place == Some("panic"),
        }
    }

    /// Fails if this is the place.
    pub(super) fn strike(self, place: Place) -> Result<(), Failure> {
        if self.place != Some(place) {
            return Ok(());
        }
        assert!(!self.panics, "a test makes this command panic");
        Err(Failure::unavailable("a test makes this command fail").already_logged())
    }
}
