//! Building an export: a file as it is, or a folder as one tar archive, cut into parts that go to the blob store as they come.
//!
//! Every part is recorded when it is durable, so a build that was killed goes on where it was: what is stored is read
//! and hashed again, and must be the same. Two builds of one source at once come to the same export.

mod archive;
mod begin;
mod pack;
mod source;

use std::{error::Error as StdError, fmt, path::PathBuf, time::Duration};

use shared_model::{Error, Failure};
use shared_runtime::{Context, service::cli};

use super::{Export, ExportState, MAX_PARTS, Part, end, manifest, store};
use crate::ids::{ExportId, RoomId};
use pack::{Packed, Packing};
use source::Source;

/// Bytes of a part, unless the operator says otherwise.
pub const PART_BYTES: u64 = 64 * 1024 * 1024;

/// What to build.
#[derive(Clone, Debug)]
pub struct Order {
    /// The room; its owner may download the export.
    pub room: RoomId,
    /// The file or folder.
    pub path: PathBuf,
    /// The length of every part but the last.
    pub part_bytes: u64,
    /// How long it can be downloaded, from when it is ready; for ever, when absent.
    pub expires_in: Option<Duration>,
    /// Gives up a build of the same source that was interrupted, instead of going on with it.
    pub restart: bool,
    /// The id of the export, where it is chosen beforehand; one that is there already is not built again.
    pub id: Option<ExportId>,
}

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Bytes that are dealt with.
    pub done: u64,
    /// All of them, as the source was when the build began.
    pub total: u64,
}

/// Why there is no export, for the operator.
#[derive(Debug)]
pub enum Unbuilt {
    /// The order or the source is not fit for it.
    Source(String),
    /// The database or the blob store is not.
    Halted(Error),
}

impl fmt::Display for Unbuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(why) => f.write_str(why),
            Self::Halted(Error::Refused(refusal)) => f.write_str(&refusal.message),
            Self::Halted(Error::Failed(failure)) => failure.fmt(f),
        }
    }
}

impl StdError for Unbuilt {}

impl From<Error> for Unbuilt {
    fn from(error: Error) -> Self {
        Self::Halted(error)
    }
}

impl From<Failure> for Unbuilt {
    fn from(failure: Failure) -> Self {
        Self::Halted(failure.into())
    }
}

fn unfit<T>(why: impl Into<String>) -> Result<T, Unbuilt> {
    Err(Unbuilt::Source(why.into()))
}

/// Builds the export, or goes on with its build; the export, ready.
pub async fn build(context: &Context, order: Order, watch: &mut dyn FnMut(Progress)) -> Result<Export, Unbuilt> {
    let source = Source::open(&order.path, context.blobs.folder()).map_err(Unbuilt::Source)?;
    let part_bytes = i64::try_from(order.part_bytes).unwrap_or(i64::MAX).max(1);
    let least = source.bytes.div_ceil(MAX_PARTS.unsigned_abs());
    if part_bytes.unsigned_abs() < least {
        return unfit(format!("an export has at most {MAX_PARTS} parts: choose --part-bytes {least} or more"));
    }
    let begun = begin::begin(context, &order, &source, part_bytes).await?;
    if let Some(given_up) = begun.given_up {
        end::remove_parts(context, &given_up).await?;
    }
    let export = begun.export;
    if export.state != ExportState::Building {
        return settled(export);
    }
    let mut packing = Packing::of(context, &export, begun.parts, source.bytes, watch);
    let packed = packing.pack(source.read()).await;
    if packed.is_err() {
        packing.abandon().await;
    }
    finish(context, export, packed?, order.expires_in).await
}

async fn finish(
    context: &Context,
    mut export: Export,
    packed: Packed,
    expires_in: Option<Duration>,
) -> Result<Export, Unbuilt> {
    let now = context.clock.now();
    export.part_count = i64::try_from(packed.parts.len()).ok();
    export.bytes = Some(packed.bytes);
    export.sha256 = Some(packed.sha256);
    export.expires_at = expires_in.map(|span| now.plus(span));
    export.manifest = Some(manifest::signed(&export, &packed.parts, &context.secret)?);
    let recorded = context
        .write(move |conn| {
            let recorded = store::find(conn, export.id)?;
            if recorded.as_ref().is_some_and(|recorded| recorded.state == ExportState::Building) {
                store::finish(conn, &export, now)?;
                return Ok(store::find(conn, export.id)?);
            }
            Ok(recorded)
        })
        .await?;
    settled(recorded.ok_or_else(|| Failure::fault("an export is gone"))?)
}

fn settled(export: Export) -> Result<Export, Unbuilt> {
    match export.state {
        ExportState::Ready => Ok(export),
        state => unfit(format!("{} is {state}: somebody has ended it meanwhile", export.id)),
    }
}

/// For a person at a command line.
pub fn told(unbuilt: Unbuilt) -> Box<dyn StdError> {
    match unbuilt {
        Unbuilt::Source(why) => why.into(),
        Unbuilt::Halted(error) => cli::told(error),
    }
}
