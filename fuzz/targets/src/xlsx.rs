//! Whatever the workbook, reading it does not panic. What is accepted is written as a workbook that reads the same.

use cloud_content::spreadsheets::{
    content::sheet::Sheet,
    import::{cells::checked, xlsx},
    xlsx::xlsx as written,
};

use crate::office::archive;

const SHEET: &str = "xl/worksheets/sheet1.xml";
const OTHERS: &[(&str, &str)] = &[
    (
        "_rels/.rels",
        r#"<Relationships><Relationship Id="r" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Budget" sheetId="1" r:id="r1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    ),
    (
        "xl/styles.xml",
        r#"<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>"#,
    ),
    ("xl/sharedStrings.xml", "<sst><si><t>Rent</t></si><si><r><t>two </t></r><r><t>runs</t></r></si></sst>"),
];

pub fn run(bytes: &[u8]) {
    // The service refuses a workbook on which its reader panics. Here such a panic is reported.
    let Ok(imported) = xlsx::read(&archive(bytes, SHEET, OTHERS)) else { return };
    let Ok(content) = checked(imported.content).expect("spreadsheets are JSON") else { return };
    let again = xlsx::read(&written(&content).expect("an accepted spreadsheet is written")).expect("ours is read");
    let same = |one: &[Sheet], other: &[Sheet]| trimmed(one) == trimmed(other);
    assert!(same(&again.content.sheets, &content.sheets), "{:?}\n{:?}", content.sheets, again.content.sheets);
}

/// The cells without rows and columns at the end that are empty, which no file has. Names are left out: those that other
/// programs do not take are changed.
fn trimmed(sheets: &[Sheet]) -> Vec<Vec<Vec<String>>> {
    let trim = |sheet: &Sheet| {
        let mut cells = sheet.cells.clone();
        for row in &mut cells {
            while row.last().is_some_and(String::is_empty) {
                row.pop();
            }
        }
        while cells.last().is_some_and(Vec::is_empty) {
            cells.pop();
        }
        cells
    };
    sheets.iter().map(trim).collect()
}
