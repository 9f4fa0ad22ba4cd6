//! Reads the names of the parts that a plan changes.

use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{part_names::PartNames, shown_plan::ShownPlan};
use crate::files::versions::read::VersionAnswer;
use cloud_content::file_type::FileType;

/// The parts of the version that the plan is for. `kind` is the type of its file.
pub async fn read(visit: &SignedIn, plan: &ShownPlan, kind: FileType) -> Result<PartNames, Error> {
    // Cells have names of their own, and a note has no parts.
    if plan.changes.is_empty() || matches!(kind, FileType::Spreadsheet | FileType::Note) {
        return Ok(PartNames::default());
    }
    let base = [plan.record.file_id.to_string(), plan.record.base_version_id.to_string()];
    let read: VersionAnswer = visit.operation("get_version").path(&[&base[0], &base[1]]).answer().await?;
    Ok(PartNames::of(&serde_json::from_str(read.content.get())?))
}
