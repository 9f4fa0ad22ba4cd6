//! The URLs of native content: those that every kind has, and those of spreadsheets.

use shared_model::code;
use shared_runtime::Routes;

use super::refusals::{adds, applies, of_type, refuses_all};
use crate::{
    base::{
        codes::{COMPUTATION_TOO_LARGE, RESPONSE_TOO_LARGE},
        limits::{READ, WRITE},
    },
    edits::plans,
    files::native::{
        self,
        sheets::{self, stored::NO_SUCH_SHEET},
    },
};
use cloud_content::{
    content::Content,
    for_each_kind,
    spreadsheets::{GET_RANGE, LIST_SHEETS},
};

pub(super) fn declare(routes: &mut Routes) {
    for_each_kind!(C => of_kind::<C>(routes));
    of_sheets(routes);
}

/// For example `/v1/documents`, `/v1/documents/{file_id}` and `/v1/documents/{file_id}/edit-plans/{plan_id}/apply`.
fn of_kind<C: Content>(routes: &mut Routes) {
    let (create, read, apply) = (&C::KIND.create, &C::KIND.read, &C::KIND.apply);
    let contract = routes.post(create.path, create.id, &WRITE, native::create::create::<C>);
    refuses_all(adds(contract.summary(create.summary).description(create.description)), create.refuses);
    let contract = routes.get(read.path, read.id, &READ, native::read::read::<C>);
    let contract = of_type(contract.summary(read.summary).description(read.description));
    refuses_all(contract, read.refuses);
    of_type(applies(routes.post(apply.path, apply.id, &WRITE, plans::apply::apply::<C>).summary(apply.summary)));
}

fn of_sheets(routes: &mut Routes) {
    of_type(routes.get("/v1/spreadsheets/{file_id}/sheets", LIST_SHEETS, &READ, sheets::list_sheets::list_sheets))
        .summary("List the sheets of a spreadsheet with their sizes.")
        .description("Read this first, to know which ranges to read.");
    of_type(routes.get("/v1/spreadsheets/{file_id}/range", GET_RANGE, &READ, sheets::read_range::read_range))
        .summary("Read a range of cells, each with its address.")
        .description(
            "Cells beyond the last row or column of the sheet are empty. `value` is what is written; with `computed=true`, \
             `computed` is what it gives.",
        )
        .refuses(&COMPUTATION_TOO_LARGE)
        .refuses(&RESPONSE_TOO_LARGE)
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
    of_type(routes.get("/v1/spreadsheets/{file_id}/export", "export_sheet", &READ, sheets::export::export))
        .summary("Export a sheet as comma-separated values, or the whole workbook as .xlsx.")
        .description(
            "In CSV, text that looks like a formula gets a leading `'`, unless `raw=true`. In .xlsx, formulas are \
             formulas, plain decimal numbers are numbers, TRUE and FALSE are booleans, and the rest is text.",
        )
        .refuses(&COMPUTATION_TOO_LARGE)
        .refuses(&RESPONSE_TOO_LARGE)
        .refuses_with(&code::NOT_FOUND, NO_SUCH_SHEET);
}
