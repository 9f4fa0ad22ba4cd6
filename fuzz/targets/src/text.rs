//! Input that is text.

/// The beginning of the input that is text.
pub fn text(bytes: &[u8]) -> &str {
    // Most changes of a fuzzer break a character: the rest of the input would be lost with it.
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}
