//! Reading tiles: 256 neighbouring hashes or entries, or those of them that there are (C2SP tlog-tiles).

use std::str::FromStr;

use shared_model::{Error, Failure, code, schema};
use shared_runtime::{
    Anyone, Context, Path,
    http::reply::{MediaType, Plain},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{head, store};
use crate::tlog::{Tile, bundle, tile::Content};

/// For ever: a tile that is in the log never changes.
const CACHEABLE: &str = "public, max-age=31536000, immutable";

/// Which tile: what its path has after `tile/`.
#[derive(Debug)]
pub struct TilePath(Tile);

impl FromStr for TilePath {
    type Err = crate::tlog::Malformed;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        format!("tile/{text}").parse().map(Self)
    }
}

impl PartialSchema for TilePath {
    fn schema() -> RefOr<Schema> {
        let about = "`<L>/<N>` for hashes of level L, `entries/<N>` for entries; N in groups of three digits like \
                     `x001/x234/067`, and `.p/<W>` behind it for the first W of a tile that is not full.";
        schema::string(&[about])
            .pattern(Some(r"^([0-9]|[1-5][0-9]|6[0-3]|entries)/(x[0-9]{3}/)*[0-9]{3}(\.p/[1-9][0-9]{0,2})?$"))
            .examples(["entries/000.p/1"])
            .into()
    }
}

/// The bytes of a tile.
pub struct TileBytes;

impl MediaType for TileBytes {
    const MEDIA_TYPE: &'static str = "application/octet-stream";
}

impl PartialSchema for TileBytes {
    fn schema() -> RefOr<Schema> {
        let about = "Hashes of 32 bytes one after the other, or entries, each after its length in 16 bits, big-endian.";
        schema::string(&[about]).content_encoding("binary").examples([r#"{"event":…}"#]).into()
    }
}

impl ToSchema for TileBytes {}

/// `GET /log/tile/{tile}`: a tile, full or partial; 404 when the log is not so large yet.
pub async fn read(_: Anyone, Path((path,)): Path<(TilePath,)>, context: Context) -> Result<Plain<TileBytes>, Error> {
    let TilePath(tile) = path;
    let bytes = context.read(move |conn| {
        if !tile.is_in(head::read(conn)?.size()) {
            return Err(code::not_found().into());
        }
        let range = tile.range();
        let (found, bytes) = match tile.content() {
            Content::Hashes(_) => {
                let hashes = store::row(conn, range)?;
                (hashes.len(), hashes.iter().flat_map(|hash| *hash.as_bytes()).collect())
            }
            Content::Entries => {
                let entries = store::entries(conn, range)?;
                let bundle = bundle::encode(entries.iter().map(Vec::as_slice));
                (entries.len(), bundle.map_err(|error| Failure::fault(error.to_string()))?)
            }
        };
        if found == usize::from(tile.width()) {
            Ok(bytes)
        } else {
            Err(Failure::fault(format!("{tile} must have {} rows, has {found}", tile.width())).into())
        }
    });
    Ok(Plain::new(bytes.await?).header("cache-control", CACHEABLE))
}
