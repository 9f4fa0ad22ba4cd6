//! What files of other programs have and native files cannot have.

use serde::Serialize;
use utoipa::ToSchema;

/// Something that an import changed or left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportWarning {
    pub code: Lost,
    /// The first place: a cell, a sheet or a part; absent if there is none.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    #[schema(rename = "where", required = false, example = "Budget!B3")]
    pub place: Option<String>,
    /// For people; has text of the source.
    #[schema(example = "Budget!B3: the formula VLOOKUP(A3,D:E,2,0) is replaced by its last value 12.")]
    pub message: String,
}

macro_rules! lost {
    ($($variant:ident = $word:literal, $says:literal;)+) => {
        shared_model::text_enum! {
            /// What an import changed or left out.
            pub enum Lost { $($variant = $word,)+ }
        }

        impl Lost {
            fn says(self) -> &'static str {
                match self { $(Self::$variant => $says,)+ }
            }
        }
    };
}

lost! {
    FormulaReplaced = "formula_replaced", "a formula is replaced by its last value";
    FormulaValues = "formula_values_changed", "formulas have other values here than in the file";
    ErrorsAsText = "errors_as_text", "errors are text";
    DatesAsText = "dates_as_text", "dates and times are text as in 2026-11-22 09:30:00";
    TextLikeFormula = "text_like_formula", "text that begins with = has an apostrophe before it, so that it stays text";
    TextLikeNumber = "text_like_number", "text that reads as a number or as TRUE or FALSE counts as one here";
    Styles = "styles_dropped", "fonts, colors, borders and other looks of cells are left out";
    NumberFormats = "number_formats_dropped", "number formats are left out (for example, 12.5% becomes 0.125)";
    RichText = "rich_text_dropped", "formats of parts of a text are left out";
    ConditionalFormats = "conditional_formats_dropped", "conditional formats are left out";
    MergedCells = "merged_cells_split", "merged cells are separate cells";
    Validations = "validations_dropped", "validation rules other than numbers and lists of at most 20 texts are left out";
    Layout = "layout_dropped", "alignments and rules of more than 5000 cells, of cells outside of the sheet, and beyond 1000000 bytes, are left out";
    HiddenSheets = "hidden_sheets_shown", "hidden sheets are visible here";
    HiddenRows = "hidden_rows_shown", "hidden rows are visible here";
    Groups = "groups_dropped", "groups of rows and columns are left out";
    FrozenPanes = "frozen_panes_dropped", "frozen rows and columns are left out";
    Filters = "filters_dropped", "filters are left out";
    Links = "links_dropped", "links of cells are left out, their texts are kept";
    Protection = "protection_dropped", "protection of sheets and cells is left out";
    PrintLayout = "print_layout_dropped", "headers, footers and page breaks are left out";
    DefinedNames = "defined_names_dropped", "names of cells and ranges are left out";
    ExternalLinks = "external_links_dropped", "links to other workbooks are left out";
    Charts = "charts_dropped", "charts are left out";
    Images = "images_dropped", "images are left out";
    Drawings = "drawings_dropped", "shapes and other drawings are left out";
    Comments = "comments_dropped", "comments and notes are left out";
    Macros = "macros_dropped", "macros are left out";
    PivotTables = "pivot_tables_dropped", "pivot tables are left out, their cells are kept";
    Tables = "tables_dropped", "tables are ranges of cells";
    Queries = "queries_dropped", "connections and queries are left out";
    Objects = "objects_dropped", "embedded objects and controls are left out";
    OtherParts = "other_parts_dropped", "parts that are not known here are left out";
    HeadingLevels = "heading_levels_reduced", "headings below the second level are of the second level";
    Nesting = "nesting_flattened", "lists and quotations within others are flat";
    Code = "code_as_text", "code is plain text";
    ImagesAsLinks = "images_as_links", "images are links";
    Html = "html_as_text", "HTML is text";
    LinkTargets = "link_targets_as_text", "targets of links other than http, https and mailto are text";
}

// Longer lists help nobody, and a hostile workbook could make them very long.
const FORMULAS: usize = 100;
// They have one warning together, which is a line.
const VALUES: usize = 3;

/// Everything that was lost so far: one entry for each kind, and one for each formula that is replaced.
#[derive(Debug, Default)]
pub struct Losses {
    kinds: Vec<(Lost, usize, String)>,
    formulas: Vec<ImportWarning>,
    /// The first formulas that have other values here, with both values.
    values: Vec<String>,
}

impl Losses {
    /// `place` is asked for the first of its kind only, and may be empty.
    pub fn note(&mut self, kind: Lost, place: impl FnOnce() -> String) {
        match self.kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, count, _)) => *count += 1,
            None => self.kinds.push((kind, 1, place())),
        }
    }

    /// A formula that became `value`.
    pub fn formula(&mut self, cell: impl FnOnce() -> String, formula: &str, value: &str, why: &str) {
        if self.formulas.len() == FORMULAS {
            return self.note(Lost::FormulaReplaced, cell);
        }
        let (cell, formula) = (cell(), cut(formula));
        let what_became = match value {
            "" => "cannot be kept and has no stored value, so the cell is empty".to_owned(),
            value => format!("is replaced by {}", cut(value)),
        };
        let message = format!("{cell}: {why} {formula} {what_became}");
        self.formulas.push(ImportWarning { code: Lost::FormulaReplaced, place: Some(cell), message });
    }

    /// A formula that is kept, and has the value `file` in the file and `here` here.
    pub fn value(&mut self, cell: String, file: &str, here: &str) {
        if self.values.len() < VALUES {
            let shown = |value: &str| if value.is_empty() { "no text".to_owned() } else { cut(value) };
            self.values.push(format!("{cell} ({} there, {} here)", shown(file), shown(here)));
        }
        self.note(Lost::FormulaValues, || cell);
    }

    pub fn warnings(self) -> Vec<ImportWarning> {
        let Self { mut kinds, formulas: mut warnings, values } = self;
        kinds.sort_by_key(|(kind, ..)| Lost::ALL.iter().position(|(_, known)| known == kind));
        warnings.extend(kinds.into_iter().map(|(kind, count, place)| {
            let message = match (kind, count) {
                (Lost::FormulaReplaced, _) => format!("{count} more formulas are replaced by their last values"),
                (Lost::FormulaValues, _) if count > values.len() => {
                    format!("{}: {} and {} more", kind.says(), values.join(", "), count - values.len())
                }
                (Lost::FormulaValues, _) => format!("{}: {}", kind.says(), values.join(", ")),
                (_, 1) if place.is_empty() => kind.says().to_owned(),
                (_, 1) => format!("{}: {place}", kind.says()),
                _ if place.is_empty() => format!("{} ({count})", kind.says()),
                _ => format!("{}: {place} and {} more", kind.says(), count - 1),
            };
            ImportWarning { code: kind, place: Some(place).filter(|place| !place.is_empty()), message }
        }));
        warnings
    }
}

// The source's text can be long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
