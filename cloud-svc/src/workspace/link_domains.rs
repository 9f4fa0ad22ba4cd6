//! The domains to which files of a workspace link or once linked. A plan that adds another domain carries a warning.

use std::collections::BTreeSet;

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, on_each};

use crate::base::{id_list::ROWS_TOGETHER, ids::WorkspaceId, tables::link_domains};

pub fn insert<'a>(
    conn: &mut Conn,
    owner: WorkspaceId,
    domains: impl IntoIterator<Item = &'a String>,
) -> Result<(), Failure> {
    let row = |domain| (link_domains::workspace_id.eq(owner), link_domains::domain.eq(domain));
    let rows: Vec<_> = domains.into_iter().map(row).collect();
    for rows in rows.chunks(ROWS_TOGETHER) {
        on_each!(conn, |c| diesel::insert_into(link_domains::table).values(rows).on_conflict_do_nothing().execute(c))?;
    }
    Ok(())
}

/// The domains among these that the workspace has linked to before.
pub fn known(conn: &mut Conn, owner: WorkspaceId, domains: &BTreeSet<String>) -> Result<BTreeSet<String>, Failure> {
    let domains: Vec<&String> = domains.iter().collect();
    let mut known = BTreeSet::new();
    for domains in domains.chunks(ROWS_TOGETHER) {
        let found: Vec<String> = on_each!(conn, |c| link_domains::table
            .filter(link_domains::workspace_id.eq(owner).and(link_domains::domain.eq_any(domains)))
            .select(link_domains::domain)
            .load(c))?;
        known.extend(found);
    }
    Ok(known)
}
