//! The codes of refusals by the rules of content.

#[rustfmt::skip]
shared_model::code_table! {
    WORKBOOK_READ_ONLY   = "workbook_read_only",   409, ContactSupport, "The workbook holds an editor's own data and is read-only here.";
    RESPONSE_TOO_LARGE   = "response_too_large",   413, CorrectOne("", "must ask for less at a time"), "The answer would be longer than response_bytes.";
    FORMULA_NOT_ALLOWED  = "formula_not_allowed",  422, Correct, "A formula has more than operators, literals, references and the allowed functions.";
    COMPUTATION_TOO_LARGE = "computation_too_large", 422, CorrectOne("computed", "must be false, or the range smaller: its formulas visit more cells than one answer may"), "The answer needs more than 10000000 visits of cells.";
    BLOCK_NOT_FOUND      = "block_not_found",      422, Correct, "The content has no such part.";
}
