//! Checks how much memory a workbook would take, before the reader trusts the sizes that the workbook declares.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

// The largest valid spreadsheet has less than half of this.
pub const PARTS_BYTES: u64 = 33_554_432;
// The reader allocates room for the declared number of texts before it reads them.
const COUNT_DIGITS: usize = 6;
const COUNT: &[u8] = b"uniqueCount";

/// Unpacks each part once and counts bytes; fails if there are too many, or if it is not an archive.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    // The reader opens other containers too, which are not checked here.
    if !bytes.starts_with(b"PK") {
        return Err("must be an .xlsx workbook without a password".to_owned());
    }
    let broken = |error: &dyn std::fmt::Display| format!("must be a readable workbook: {error}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let mut left = PARTS_BYTES;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| broken(&error))?;
        let has_texts =
            part.name().map_err(|error| broken(&error))?.to_ascii_lowercase().ends_with("sharedstrings.xml");
        let mut unpacked = Vec::new();
        // One byte more than allowed shows that a part is too large.
        let mut part = part.take(left + 1);
        let count = if has_texts {
            part.read_to_end(&mut unpacked).map(|count| count as u64)
        } else {
            std::io::copy(&mut part, &mut std::io::sink())
        };
        let count = count.map_err(|error| broken(&error))?;
        left = left.checked_sub(count).ok_or_else(|| format!("must unpack to at most {PARTS_BYTES} bytes"))?;
        check_count(&unpacked)?;
    }
    Ok(())
}

fn check_count(xml: &[u8]) -> Result<(), String> {
    // In UTF-16 the search below would not find the digits.
    if xml.contains(&0) {
        return Err("must be a workbook in UTF-8".to_owned());
    }
    let mut rest = xml;
    while let Some(at) = rest.windows(COUNT.len()).position(|window| window == COUNT) {
        rest = &rest[at + COUNT.len()..];
        let value = rest.iter().skip_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'"' | b'\''));
        if value.take_while(|byte| byte.is_ascii_digit()).count() > COUNT_DIGITS {
            return Err(format!("must declare a number of texts of at most {COUNT_DIGITS} digits"));
        }
    }
    Ok(())
}
