//! What agents may do with the record of a protected file.

use shared_model::Error;
use shared_runtime::Conn;

use super::store;
use crate::{
    base::ids::FileId,
    workspace::{command::ChangeContext, store::AgentWrites},
};

/// 403 if an agent would trash, move or rename a protected file, or a folder with one, unless the policy is `direct`.
/// Otherwise it could replace the file with an edited copy.
pub fn check(conn: &mut Conn, by: &ChangeContext, file: FileId) -> Result<(), Error> {
    let is_trusted = by.policy(conn)? == AgentWrites::Direct;
    if is_trusted || !store::has_protected_parts(conn, by.workspace(), file)? {
        return Ok(());
    }
    by.check_direct(conn, |_| Ok(true), "Parts of it are protected: ask a person to do it.")
}
