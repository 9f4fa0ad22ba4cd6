//! Office files whose archive is valid, so that a fuzzer changes the XML within and not the checksums around it.

use std::io::{Cursor, Write as _};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Begins a line that names the part of the lines after it.
const PART: &str = "%% ";

/// An archive as it is; or of parts in text, after these others, which the text may replace. `first` is the part of the
/// lines before any name.
pub fn archive(bytes: &[u8], first: &str, others: &[(&str, &str)]) -> Vec<u8> {
    if bytes.starts_with(b"PK") {
        return bytes.to_vec();
    }
    let text = crate::text::text(bytes);
    let mut parts: Vec<(&str, String)> = others.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    let mut at = begin(&mut parts, first);
    for line in text.lines() {
        match line.strip_prefix(PART) {
            Some(name) => at = begin(&mut parts, name),
            None => {
                parts[at].1.push_str(line);
                parts[at].1.push('\n');
            }
        }
    }
    // Nothing is compressed: what the fuzzer compares with is then found in its input.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        if zip.start_file(name, plain).is_ok() {
            zip.write_all(text.as_bytes()).expect("memory takes it");
        }
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// An empty part of this name.
fn begin<'n>(parts: &mut Vec<(&'n str, String)>, name: &'n str) -> usize {
    parts.retain(|(known, _)| *known != name);
    parts.push((name, String::new()));
    parts.len() - 1
}
