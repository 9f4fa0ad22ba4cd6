//! The receipt of an entry in the newest checkpoint that enough witnesses have cosigned.

use shared_model::Failure;
use shared_runtime::Conn;
use trust_log::{merkle::Inclusion, tlog::Receipt};

use super::{position::LogPosition, proven};
use crate::cosigning::{Witnesses, store};

/// `None` until such a checkpoint covers the entry.
pub fn cosigned_receipt(
    conn: &mut Conn,
    position: &LogPosition,
    witnesses: &Witnesses,
) -> Result<Option<String>, Failure> {
    let Some(signed) = store::newest_cosigned(conn, witnesses)? else { return Ok(None) };
    let (size, cosigned) = (signed.checkpoint().size(), signed.checkpoint().root());
    if position.index() >= size {
        return Ok(None);
    }
    let Inclusion { path, root } = proven::inclusion(conn, position.index(), position.leaf_hash(), size)?;
    if root != cosigned {
        let why = format!("the log of {size} entries has the root {root}, but its witnesses have cosigned {cosigned}");
        return Err(Failure::fault(why));
    }
    Ok(Some(Receipt::new(position.index(), path, signed).to_string()))
}
