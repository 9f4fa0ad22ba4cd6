//! What versions say of their writers.

use std::collections::HashMap;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, identity::Actor, on_each};

use crate::{
    base::{
        ids::{FileId, PlanId, VersionId},
        tables::versions,
    },
    files::{editors::Editors, version_content::StoredContent},
};

/// What a version keeps of its writers.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct KeptRuns {
    pub id: VersionId,
    pub number: i64,
    pub authorship: Option<String>,
}

/// A version with its kept runs. Callers have checked that its file is visible.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct Written {
    #[diesel(embed)]
    pub kept: KeptRuns,
    #[diesel(embed)]
    pub stored: StoredContent,
}

impl Written {
    fn checked(self) -> Result<Self, Failure> {
        Ok(Self { stored: self.stored.checked()?, ..self })
    }
}

pub fn find(conn: &mut Conn, version: VersionId) -> Result<Written, Failure> {
    on_each!(conn, |c| versions::table.find(version).select(Written::as_select()).first::<Written>(c))?.checked()
}

/// The version if it is one of this file.
pub fn find_of(conn: &mut Conn, file: FileId, version: VersionId) -> Result<Option<Written>, Failure> {
    let of_file = versions::table.find(version).filter(versions::file_id.eq(file));
    let found = on_each!(conn, |c| of_file.select(Written::as_select()).first::<Written>(c).optional())?;
    found.map(Written::checked).transpose()
}

/// Who made a version.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct MadeBy {
    pub id: VersionId,
    /// Who ran the command, for example applied the plan.
    pub created_by: Json<Actor>,
    pub created_at: Timestamp,
    pub plan_id: Option<PlanId>,
    pub edited_by: Option<Json<Editors>>,
}

/// Who made these versions.
pub fn made_by(conn: &mut Conn, versions: &[VersionId]) -> Result<HashMap<VersionId, MadeBy>, Failure> {
    let found: Vec<MadeBy> =
        on_each!(conn, |c| versions::table.filter(versions::id.eq_any(versions)).select(MadeBy::as_select()).load(c))?;
    Ok(found.into_iter().map(|made| (made.id, made)).collect())
}
