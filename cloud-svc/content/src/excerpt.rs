//! Excerpts for outlines.

/// The most characters of an excerpt.
const EXCERPT: usize = 120;

/// The first characters of consecutive texts, in one line.
pub fn excerpt<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let characters = texts.into_iter().flat_map(str::chars).map(|c| if c == '\n' { ' ' } else { c });
    characters.take(EXCERPT).collect()
}
