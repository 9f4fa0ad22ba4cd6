//! A page of open plans, of the workspace or of one file.

use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn,
    http::list::{Page, Position},
};

use super::{
    plan::Plan,
    record::PlanRecord,
    store::{self, OpenPlans, PlanPlace},
};
use crate::{
    base::{ids::PlanId, links::FileLinks},
    files::file::File,
};

/// The most bytes of texts that the plans of one page have.
const TEXT_BUDGET: i64 = 8_000_000;

pub struct PlanPage {
    /// Plans with their previews and files.
    pub plans: Vec<(Plan, String, File)>,
    /// Where the next page begins; `None` on the last page.
    pub next: Option<Position<PlanId>>,
}

pub fn page_of(conn: &mut Conn, wanted: &OpenPlans, page: &Page, start: Position<PlanId>) -> Result<PlanPage, Failure> {
    let (places, has_more) = page.cut(store::places(conn, wanted, start, page.rows())?);
    let shown = within_budget(&places);
    let has_more = has_more || shown.len() < places.len();
    let next = shown.last().filter(|_| has_more).map(|place| Position::after(place.created_at, place.id));
    let ids: Vec<_> = shown.iter().map(|place| place.id).collect();
    Ok(PlanPage { plans: store::with_files(conn, wanted.owner, &ids)?, next })
}

/// The first places whose previews are not too long together, and at least one.
// A preview has all changes and may be as long as an answer. A hundred of them would take much memory.
fn within_budget(places: &[PlanPlace]) -> &[PlanPlace] {
    let mut bytes = 0;
    let fits = |place: &&PlanPlace| {
        bytes += place.text_bytes;
        bytes <= TEXT_BUDGET
    };
    let count = places.iter().take_while(fits).count();
    &places[..count.max(1).min(places.len())]
}

/// The record of a plan in a list. The changes of one plan may fill an answer already.
pub fn listed(
    plan: Plan,
    preview: &str,
    file: &File,
    links: &FileLinks,
    now: Timestamp,
) -> Result<PlanRecord, Failure> {
    Ok(PlanRecord { changes: None, totals: None, ..PlanRecord::new(plan, preview, file, links, now)? })
}
