//! Lines that several of C2SP's formats share: sizes, the hashes of a proof, a note after an empty line.

use super::malformed::Malformed;
use crate::merkle::{
    hash::{self, Hash},
    size::{MAX_PROOF, MAX_SIZE},
};

// A size or an index: ASCII digits without a leading zero, so that each number has one spelling.
pub fn decimal(what: &str, text: &str) -> Result<u64, Malformed> {
    let is_plain = text == "0" || text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let number = text.parse().ok().filter(|number| is_plain && *number <= MAX_SIZE);
    number.ok_or_else(|| {
        Malformed::new(format!("{what} must be decimal digits without a leading zero, at most {MAX_SIZE}"), text)
    })
}

/// One hash per line.
pub fn proof_lines(lines: &[&str]) -> Result<Vec<Hash>, Malformed> {
    if lines.len() > MAX_PROOF {
        return Err(Malformed::count(format!("the number of hashes must be at most {MAX_PROOF}"), lines.len()));
    }
    let hash = |line: &&str| line.parse().map_err(|_| Malformed::new(format!("a hash {}", hash::RULE), line));
    lines.iter().map(hash).collect()
}

/// The lines before the first empty line, and the text after it.
pub fn head_and_note<'a>(what: &str, bytes: &'a [u8], max: usize) -> Result<(Vec<&'a str>, &'a str), Malformed> {
    let text = utf8(what, bytes, max)?;
    let parts = text.split_once("\n\n");
    let (head, note) =
        parts.ok_or_else(|| Malformed::new(format!("{what} must have an empty line before the note"), text))?;
    Ok((head.split('\n').collect(), note))
}

pub fn utf8<'a>(what: &str, bytes: &'a [u8], max: usize) -> Result<&'a str, Malformed> {
    if bytes.len() > max {
        return Err(Malformed::count(format!("{what} must have at most {max} bytes"), bytes.len()));
    }
    std::str::from_utf8(bytes)
        .map_err(|error| Malformed::count(format!("{what} must be UTF-8 up to its end"), error.valid_up_to()))
}
