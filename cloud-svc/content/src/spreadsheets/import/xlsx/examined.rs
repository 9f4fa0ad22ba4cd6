//! Checks all parts of a workbook: do they take more memory than allowed, and what have they besides cells?

use std::collections::HashSet;

use super::{
    package::{Names, Package, SheetPart, is_examined, key},
    parts,
    sheet_notes::{self, Room, SheetNotes},
    styles::{self, Style},
    texts,
};
use crate::lost::{Losses, Lost};
use crate::office::{archive::Archive, xml::Xml};
use crate::spreadsheets::content::sheet::SHEETS;

#[derive(Debug, Default)]
pub struct Examined {
    pub styles: Vec<Style>,
    /// The worksheets in order.
    pub sheets: Vec<(SheetPart, SheetNotes)>,
    pub losses: Losses,
}

// Every part that the reader of the workbook may read is read here first, with the same parser.
pub fn examine(bytes: &[u8]) -> Result<Examined, String> {
    let mut archive = Archive::open(bytes)?;
    let names = Names::of(&archive)?;
    let mut losses = Losses::default();
    let package = Package::find(&mut archive, &names, &mut losses)?;
    let of_workbook = |name: &str| key(&format!("{}{name}", package.folder));
    let styles = names.xml(&mut archive, &of_workbook("styles.xml"), styles::read)?.unwrap_or_default();
    let Package { sheets: parts, folder, workbook } = &package;
    if parts.iter().filter(|sheet| sheet.is_worksheet).count() > SHEETS {
        return Err(format!("must have 1 to {SHEETS} sheets, has more"));
    }
    let (texts, style_sheet) = (of_workbook("sharedStrings.xml"), of_workbook("styles.xml"));
    // There may be thousands of sheets that are charts, and of parts.
    let of_sheets: HashSet<String> = parts.iter().map(|sheet| key(&sheet.path)).collect();
    for name in archive.names()? {
        let path = key(&name);
        // Images need no look, but their bytes count.
        if !is_examined(&name) {
            archive.measure(&name)?;
        } else if path == texts {
            archive.xml(&name, |xml| texts::check(xml, &mut losses))?;
        } else if path != style_sheet && !of_sheets.contains(&path) {
            archive.xml(&name, |xml| {
                while let Some(token) = xml.token()? {
                    parts::look(&path, &token, &mut losses);
                }
                Ok(())
            })?;
        }
        parts::note(&name, workbook, folder, &mut losses);
    }
    let (mut sheets, mut room) = (Vec::new(), Room::default());
    for sheet in package.sheets {
        // Some sheets are nothing but a chart.
        if !sheet.is_worksheet {
            losses.note(Lost::Charts, || sheet.name.clone());
            continue;
        }
        let numbered = (sheets.len() + 1, &sheet);
        let read = |xml: &mut Xml<'_>| sheet_notes::read(xml, numbered, &styles, &mut losses, &mut room);
        let notes = names.xml(&mut archive, &sheet.path, read)?.unwrap_or_default();
        sheets.push((sheet, notes));
    }
    Ok(Examined { styles, sheets, losses })
}
