//! Places where a test makes a command fail.

use shared_model::Failure;

use super::failpoint;

/// A place in the course of a command. Tests set the failpoint `command::fault` to `return(PLACE KEY)`, so that only the
/// command with this key fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the transaction, before it does anything.
    Before,
    /// In the transaction, after all of its effects.
    Inside,
    /// After the commit, before the answer.
    After,
}

/// Where this command fails; nowhere, without a test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fault {
    place: Option<Place>,
    panics: bool,
}

impl Fault {
    pub fn of(key: &str) -> Self {
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

    /// Of commands that share a transaction: it fails where one of them does.
    pub fn of_any<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        keys.into_iter().map(Self::of).find(|fault| fault.place.is_some()).unwrap_or_default()
    }

    /// Fails if this is the place.
    pub fn strike(self, place: Place) -> Result<(), Failure> {
        if self.place != Some(place) {
            return Ok(());
        }
        assert!(!self.panics, "a test makes this command panic");
        Err(Failure::unavailable("a test makes this command fail").already_logged())
    }
}
