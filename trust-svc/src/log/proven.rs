//! What the service says about its log. Everything is checked against the head before it is served or signed.

use shared_model::Failure;
use shared_runtime::Conn;
use trust_log::merkle::{
    Consistency, Hash, HashRange, Inclusion, ProveError, Whole, leaf_hash,
    size::{TILE_HEIGHT, TILE_WIDTH},
    subtree_root,
};

use super::{head::read_head, store};

/// The root of the log when it had `size` entries.
pub fn root_at(conn: &mut Conn, size: u64) -> Result<Hash, Failure> {
    whole(conn)?.root_at(size, |ranges| read_all(conn, ranges)).map_err(unproven)
}

/// The proof that the log of `size` entries has this leaf.
pub fn inclusion(conn: &mut Conn, index: u64, leaf: Hash, size: u64) -> Result<Inclusion, Failure> {
    whole(conn)?.inclusion((index, leaf), size, |ranges| read_all(conn, ranges)).map_err(unproven)
}

/// The proof that the log of `second` entries begins with the log of `first` entries.
pub fn consistency(conn: &mut Conn, first: u64, second: u64) -> Result<Consistency, Failure> {
    whole(conn)?.consistency(first, second, |ranges| read_all(conn, ranges)).map_err(unproven)
}

/// The hashes of a tile, which may be partial.
pub fn tile(conn: &mut Conn, range: HashRange) -> Result<Vec<Hash>, Failure> {
    let HashRange { level, start, count } = range;
    let hashes = store::hashes(conn, range)?;
    if hashes.len() as u64 != count {
        return Err(unproven(ProveError::Missing { range, got: hashes.len() }));
    }
    if count == TILE_WIDTH {
        let above = HashRange { level: level + 1, start: start >> TILE_HEIGHT, count: 1 };
        if store::hashes(conn, above)? != [subtree_root(hashes.clone())] {
            return Err(unproven(ProveError::Damaged));
        }
    } else {
        // All hashes of the tile are on the way to the root of the log that ends with it.
        root_at(conn, (start + count) << (TILE_HEIGHT * u32::from(level)))?;
    }
    Ok(hashes)
}

/// The entries of a range of leaves. Missing rows are left out.
pub fn entries(conn: &mut Conn, range: HashRange) -> Result<Vec<Vec<u8>>, Failure> {
    let found = store::entries(conn, range)?;
    let checked = |((entry, hash), index): ((Vec<u8>, Hash), u64)| {
        if is_intact(&entry, hash) { Ok(entry) } else { Err(damaged_entry(index)) }
    };
    found.into_iter().zip(range.start..).map(checked).collect()
}

/// Whether an entry has the hash beside it.
pub fn is_intact(entry: &[u8], hash: Hash) -> bool {
    leaf_hash(entry) == hash
}

pub fn damaged_entry(index: u64) -> Failure {
    Failure::fault(format!("the entry {index} of the log is damaged: it does not have the hash beside it"))
}

pub fn missing_entry(index: u64) -> Failure {
    Failure::fault(format!("the entry {index} of the log is missing"))
}

fn whole(conn: &mut Conn) -> Result<Whole, Failure> {
    let head = read_head(conn)?;
    Ok(Whole { size: head.size(), root: head.root })
}

fn read_all(conn: &mut Conn, ranges: &[HashRange]) -> Result<Vec<Vec<Hash>>, Failure> {
    ranges.iter().map(|range| store::hashes(conn, *range)).collect()
}

// Callers ask only for sizes that the log has had. So a proof that cannot be made means that rows are missing or
// damaged.
fn unproven(error: ProveError<Failure>) -> Failure {
    match error {
        ProveError::Read(failure) => failure,
        damaged => Failure::fault(damaged.to_string()),
    }
}
