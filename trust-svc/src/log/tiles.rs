//! Serves tiles: 256 neighboring hashes or entries, or fewer at the end of the log (C2SP tlog-tiles).

use std::str::FromStr;

use shared_model::{Error, Failure, code, openapi_schema};
use shared_runtime::{
    Anyone, Context, Path,
    http::reply::{MediaType, Plain},
};
use trust_log::tlog::{Malformed, Tile, bundle, tile::Content};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{head::read_head, proven};

// The log only grows, so a served tile never changes and caches may keep it for a year. A partial tile has its width in
// its URL.
const CACHE_CONTROL: &str = "public, max-age=31536000, immutable";

/// The part of a tile's path after `tile/`.
#[derive(Debug)]
pub struct TilePath(Tile);

impl FromStr for TilePath {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        format!("tile/{text}").parse().map(Self)
    }
}

impl PartialSchema for TilePath {
    fn schema() -> RefOr<Schema> {
        let about = "`<L>/<N>` for hashes of level L, `entries/<N>` for entries; N in groups of three digits like \
                     `x001/x234/067`. A tile that is not full ends with `.p/<W>`, where W is its width.";
        openapi_schema::string(&[about])
            .pattern(Some(r"^([0-9]|[1-5][0-9]|6[0-3]|entries)/(x[0-9]{3}/)*[0-9]{3}(\.p/[1-9][0-9]{0,2})?$"))
            .examples(["entries/000.p/1"])
            .into()
    }
}

pub struct TileBytes;

impl MediaType for TileBytes {
    const MEDIA_TYPE: &'static str = "application/octet-stream";
}

impl PartialSchema for TileBytes {
    fn schema() -> RefOr<Schema> {
        let about = "Hashes of 32 bytes each, or entries, each preceded by its length as a 16-bit big-endian number.";
        openapi_schema::string(&[about]).content_encoding("binary").examples([r#"{"event":…}"#]).into()
    }
}

impl ToSchema for TileBytes {}

/// `GET /log/tile/{tile}`: 404 when the log is too small for the tile.
pub async fn read(_: Anyone, Path((path,)): Path<(TilePath,)>, context: Context) -> Result<Plain<TileBytes>, Error> {
    let TilePath(tile) = path;
    let bytes = context.read(move |conn| {
        if !tile.is_in(read_head(conn)?.size()) {
            return Err(code::not_found().into());
        }
        let range = tile.range();
        let (found, bytes) = match tile.content() {
            Content::Hashes(_) => {
                let hashes = proven::tile(conn, range)?;
                (hashes.len(), hashes.iter().flat_map(|hash| *hash.as_bytes()).collect())
            }
            Content::Entries => {
                let entries = proven::entries(conn, range)?;
                let bundle = bundle::encode(entries.iter().map(Vec::as_slice));
                (entries.len(), bundle.map_err(|error| Failure::fault(error.to_string()))?)
            }
        };
        // A short answer would be cached for a year.
        if found == usize::from(tile.width()) {
            Ok(bytes)
        } else {
            Err(Failure::fault(format!("{tile} must have {} rows, has {found}", tile.width())).into())
        }
    });
    Ok(Plain::new(bytes.await?).header("cache-control", CACHE_CONTROL))
}
