//! Workbooks of other programs, and hostile ones.

mod cells;
mod hostile;
mod losses;
mod round_trip;

use std::io::{Cursor, Write as _};

use zip::{ZipWriter, write::SimpleFileOptions};

use super::{Imported, read as read_all};
use crate::spreadsheets::content::sheet::Sheet;

const NS: &str = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// General, date, date and time, duration, percent, two places, centered and wrapped, another font.
const STYLES: &str = r#"<numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="2"/><xf><alignment horizontal="center" wrapText="1"/></xf><xf fontId="1"/></cellXfs>"#;

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a part begins");
        zip.write_all(text.as_bytes()).expect("it is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A workbook in XML.
struct Book<'a> {
    /// Names, and all that a sheet has.
    sheets: &'a [(&'a str, &'a str)],
    /// What the workbook has in addition to its sheets.
    more: &'a str,
    styles: &'a str,
    texts: &'a str,
    /// Further parts.
    parts: &'a [(&'a str, &'a str)],
}

impl Default for Book<'_> {
    fn default() -> Self {
        Self { sheets: &[("Budget", "<sheetData/>")], more: "", styles: STYLES, texts: "<sst/>", parts: &[] }
    }
}

impl Book<'_> {
    fn bytes(&self) -> Vec<u8> {
        let package = format!(
            r#"<Relationships xmlns="{PACKAGE}"><Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
        );
        let (mut relationships, mut sheets) = (String::new(), String::new());
        for (index, (name, _)) in self.sheets.iter().enumerate() {
            relationships += &format!(
                r#"<Relationship Id="r{index}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{index}.xml"/>"#
            );
            let state = if name.starts_with("Hidden") { r#" state="hidden""# } else { "" };
            sheets += &format!(r#"<sheet name="{name}" sheetId="{}" r:id="r{index}"{state}/>"#, index + 1);
        }
        let relationships = format!(r#"<Relationships xmlns="{PACKAGE}">{relationships}</Relationships>"#);
        let workbook =
            format!(r#"<workbook {NS} xmlns:r="{OFFICE}"><sheets>{sheets}</sheets>{}</workbook>"#, self.more);
        let styles = format!("<styleSheet {NS}>{}</styleSheet>", self.styles);
        let mut parts = vec![
            ("_rels/.rels".to_owned(), package),
            ("xl/workbook.xml".to_owned(), workbook),
            ("xl/_rels/workbook.xml.rels".to_owned(), relationships),
            ("xl/styles.xml".to_owned(), styles),
            ("xl/sharedStrings.xml".to_owned(), self.texts.to_owned()),
        ];
        for (index, (_, xml)) in self.sheets.iter().enumerate() {
            let sheet = format!(r#"<worksheet {NS} xmlns:r="{OFFICE}">{xml}</worksheet>"#);
            parts.push((format!("xl/worksheets/sheet{index}.xml"), sheet));
        }
        let own = parts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        archive(&own.chain(self.parts.iter().copied()).collect::<Vec<_>>())
    }
}

/// A workbook with one sheet of these rows in XML, and these shared texts.
fn workbook(rows: &str, texts: &str) -> Vec<u8> {
    let sheet = format!("<sheetData>{rows}</sheetData>");
    Book { sheets: &[("Budget", &sheet)], texts, ..Book::default() }.bytes()
}

fn read(bytes: &[u8]) -> Result<Vec<Sheet>, String> {
    read_all(bytes).map(|read| read.content.sheets)
}

/// The warnings: code, place and message.
fn warned(bytes: &[u8]) -> Vec<(&'static str, String, String)> {
    let Imported { warnings, .. } = read_all(bytes).expect("read");
    warnings.into_iter().map(|w| (w.code.as_str(), w.place.unwrap_or_default(), w.message)).collect()
}

#[track_caller]
fn refused(bytes: &[u8]) -> String {
    read_all(bytes).expect_err("refused")
}
