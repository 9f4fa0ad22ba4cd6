//! Parts of a workbook that are not cells, by their names.

use super::package::key;
use crate::lost::{Losses, Lost};
use crate::office::xml::Token;

/// Beginnings of paths below the folder of the workbook, and what they are.
const KINDS: &[(&str, Option<Lost>)] = &[
    ("worksheets/", None),
    ("theme/", None),
    ("calcchain.xml", None),
    ("metadata.xml", None),
    ("persons/", None),
    ("printersettings/", None),
    ("chartsheets/", Some(Lost::Charts)),
    ("charts/", Some(Lost::Charts)),
    ("media/", Some(Lost::Images)),
    // A drawing is also how charts and images are placed.
    ("drawings/", None),
    ("comments", Some(Lost::Comments)),
    ("threadedcomments/", Some(Lost::Comments)),
    ("vba", Some(Lost::Macros)),
    ("macrosheets/", Some(Lost::Macros)),
    ("pivottables/", Some(Lost::PivotTables)),
    ("pivotcache/", Some(Lost::PivotTables)),
    ("slicer", Some(Lost::PivotTables)),
    ("timeline", Some(Lost::PivotTables)),
    ("tables/", Some(Lost::Tables)),
    ("externallinks/", Some(Lost::ExternalLinks)),
    ("connections.xml", Some(Lost::Queries)),
    ("querytables/", Some(Lost::Queries)),
    ("embeddings/", Some(Lost::Objects)),
    ("activex/", Some(Lost::Objects)),
    ("ctrlprops/", Some(Lost::Objects)),
];

/// Notes what a token of a part is, if the name of the part does not tell.
pub fn look(path: &str, token: &Token<'_>, losses: &mut Losses) {
    if let Token::Start(element) = token
        && path.contains("/drawings/")
        && (element.is("sp") || element.is("cxnSp"))
    {
        losses.note(Lost::Drawings, || path.to_owned());
    }
}

/// Notes what a part is, unless it is read.
pub fn note(name: &str, workbook: &str, folder: &str, losses: &mut Losses) {
    let path = key(name);
    // The properties of a document have names of people, and nobody expects them in another document.
    if path.ends_with('/')
        || path.ends_with(".rels")
        || path == "[content_types].xml"
        || path.starts_with("docprops/")
        || path == key(workbook)
    {
        return;
    }
    let kind = path.strip_prefix(&key(folder)).and_then(|path| {
        let known = KINDS.iter().find(|(start, _)| path.starts_with(start)).map(|(_, kind)| *kind);
        known.or(matches!(path, "styles.xml" | "sharedstrings.xml").then_some(None))
    });
    match kind {
        Some(None) => {}
        Some(Some(kind)) => losses.note(kind, || name.to_owned()),
        None => losses.note(Lost::OtherParts, || name.to_owned()),
    }
}
