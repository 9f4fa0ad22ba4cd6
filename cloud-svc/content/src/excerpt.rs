//! The beginning of a text, for outlines.

/// Characters of an excerpt at most.
const EXCERPT: usize = 120;

/// The first 120 characters of texts, in one line, as if they were one.
pub fn excerpt<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let characters = texts.into_iter().flat_map(str::chars).map(|c| if c == '\n' { ' ' } else { c });
    characters.take(EXCERPT).collect()
}
