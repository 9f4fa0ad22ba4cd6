//! Patterns of `LIKE`, with `\` before wildcard characters.

/// The LIKE pattern of texts that contain `text`.
pub fn containing(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 8);
    pattern.push('%');
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
