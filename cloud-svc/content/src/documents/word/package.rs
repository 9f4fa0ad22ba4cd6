//! The parts of a Word file other than its text.

use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
};

use quick_xml::escape::escape;
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipResult, write::SimpleFileOptions};

use super::texts::is_in_xml;

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/></Types>"#;

const ROOT: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;

const STYLES: &str = include_str!("styles.xml");

/// The zip archive of a Word file. The same arguments give the same bytes.
pub fn package(document: &str, links: &[&str], numbered_lists: usize) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Without the present time: the same plan gives the same bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let (links, numbering) = (relationships(links), numbering(numbered_lists));
    let parts = [
        ("[Content_Types].xml", CONTENT_TYPES),
        ("_rels/.rels", ROOT),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", &links),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", &numbering),
    ];
    for (name, text) in parts {
        zip.start_file(name, options)?;
        zip.write_all(text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}

/// The name of the link with this index within the text.
pub fn link_id(index: usize) -> String {
    format!("rIdLink{index}")
}

/// The number of the list that has dots, and of the first one that has numbers.
pub const DOTS: usize = 1;
pub const FIRST_NUMBERED: usize = 2;

fn relationships(links: &[&str]) -> String {
    let mut xml = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rIdStyles" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rIdNumbering" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/>"#.to_owned();
    for (index, link) in links.iter().enumerate() {
        let target: String = link.chars().filter(|character| is_in_xml(*character)).collect();
        let (id, target) = (link_id(index), escape(target));
        let _ = write!(
            xml,
            r#"<Relationship Id="{id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="{target}" TargetMode="External"/>"#
        );
    }
    xml + "</Relationships>"
}

fn numbering(numbered_lists: usize) -> String {
    let mut xml = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">"#
        .to_owned();
    for (id, format, text) in [(0, "bullet", "•"), (1, "decimal", "%1.")] {
        let _ = write!(
            xml,
            r#"<w:abstractNum w:abstractNumId="{id}"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{format}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>"#
        );
    }
    let _ = write!(xml, r#"<w:num w:numId="{DOTS}"><w:abstractNumId w:val="0"/></w:num>"#);
    for list in 0..numbered_lists {
        // Each list begins at 1 again.
        let _ = write!(
            xml,
            r#"<w:num w:numId="{}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>"#,
            FIRST_NUMBERED + list
        );
    }
    xml + "</w:numbering>"
}
