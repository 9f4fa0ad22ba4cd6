//! What an operator asks of a build, and what is answered.

use std::{error::Error as StdError, fmt, path::PathBuf, time::Duration};

use shared_model::{Error, Failure};

use crate::ids::{ExportId, RoomId};

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildRequest {
    /// The room; its owner may download the export.
    pub room: RoomId,
    /// The file or folder.
    pub path: PathBuf,
    /// The length of every part but the last.
    pub part_bytes: u64,
    /// How long it can be downloaded, from when it is ready; for ever, when absent.
    pub expires_in: Option<Duration>,
    /// Abandons an interrupted build of the same source instead of resuming it.
    pub restart: bool,
    /// The id of the export, where the caller chooses it; an existing export is not built again.
    pub id: Option<ExportId>,
}

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Bytes that are stored.
    pub done: u64,
    /// All bytes, as estimated when the build began.
    pub total: u64,
}

/// Why there is no export.
#[derive(Debug)]
pub enum BuildError {
    /// The request or the source is unfit; the text is for the operator.
    Unfit(String),
    /// The database or the blob store failed.
    Service(Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(why) => f.write_str(why),
            Self::Service(error) => error.fmt(f),
        }
    }
}

impl StdError for BuildError {}

pub(super) fn unfit<T>(why: impl Into<String>) -> Result<T, BuildError> {
    Err(BuildError::Unfit(why.into()))
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
