//! A build's request, progress and errors.

use std::{error::Error as StdError, fmt, path::PathBuf, time::Duration};

use shared_model::{Error, Failure};

use crate::ids::{ExportId, RoomId};

#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// Its owner may download the export.
    pub room: RoomId,
    pub path: PathBuf,
    /// The length of every part except the last.
    pub part_bytes: u64,
    /// How long it can be downloaded after it is ready. `None`: without limit.
    pub expires_in: Option<Duration>,
    /// Abandons an interrupted build of the same source instead of resuming it.
    pub restart: bool,
    /// The id of the export, if the caller chooses it. An existing export is not built again.
    pub id: Option<ExportId>,
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Bytes that were read.
    pub done: u64,
    /// The estimated total.
    pub total: u64,
}

#[derive(Debug)]
pub enum BuildError {
    /// The request or the source cannot be used. The text is for the operator.
    Rejected(String),
    Service(Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(why) => f.write_str(why),
            Self::Service(error) => error.fmt(f),
        }
    }
}

impl StdError for BuildError {}

pub(super) fn reject<T>(why: impl Into<String>) -> Result<T, BuildError> {
    Err(BuildError::Rejected(why.into()))
}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        Self::Service(error)
    }
}

impl From<Failure> for BuildError {
    fn from(failure: Failure) -> Self {
        Self::Service(failure.into())
    }
}
