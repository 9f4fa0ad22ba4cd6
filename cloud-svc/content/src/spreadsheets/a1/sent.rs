//! Ranges as people send them: `a1:b2`, `$A$1`, `Budget!A1:B2`.

/// The sheet that the range names, without quotation marks, and the range.
pub fn split_sheet(text: &str) -> (Option<String>, &str) {
    // The last `!` ends the name, which may contain others.
    let Some((name, range)) = text.rsplit_once('!') else { return (None, text) };
    let quoted = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    (Some(quoted.map_or_else(|| name.to_owned(), |name| name.replace("''", "'"))), range)
}

/// The range without small letters and `$`, which say nothing here: every address is absolute.
pub fn plain_range(text: &str) -> String {
    let plain = |end: &str| {
        let end = end.strip_prefix('$').unwrap_or(end).to_ascii_uppercase();
        let digits = end.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(end.len());
        let (letters, digits) = end.split_at(digits);
        let digits = if letters.is_empty() { digits } else { digits.strip_prefix('$').unwrap_or(digits) };
        format!("{letters}{digits}")
    };
    match text.split_once(':') {
        Some((first, last)) => format!("{}:{}", plain(first), plain(last)),
        None => plain(text),
    }
}
