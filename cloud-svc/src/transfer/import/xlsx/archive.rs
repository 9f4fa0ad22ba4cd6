//! What an archive would take of memory, found out before anything believes what it says of itself.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

/// Bytes of all parts of a workbook together at most. The largest that a spreadsheet can hold has less than half of it.
pub const PARTS_BYTES: u64 = 33_554_432;
/// Digits of a declared number of texts at most: room is made for so many before they are there.
const COUNT_DIGITS: usize = 6;
const COUNT: &[u8] = b"uniqueCount";

/// Unpacks every part once, counting bytes; an error when they are too many or no archive.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    // Other containers are no workbooks of this kind, whatever the reader makes of them.
    if !bytes.starts_with(b"PK") {
        return Err("must be a workbook of the kind .xlsx, without a password".to_owned());
    }
    let broken = |error: &dyn std::fmt::Display| format!("must be a workbook that can be read: {error}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let mut left = PARTS_BYTES;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|error| broken(&error))?;
        let has_texts =
            part.name().map_err(|error| broken(&error))?.to_ascii_lowercase().ends_with("sharedstrings.xml");
        let mut unpacked = Vec::new();
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

/// No declared number of texts may be one that there cannot be.
fn check_count(xml: &[u8]) -> Result<(), String> {
    // In UTF-16 the digits would not be found.
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
