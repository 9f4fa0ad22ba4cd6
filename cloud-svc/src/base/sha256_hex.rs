//! A SHA-256 that a client sends.

shared_model::text_type! {
    /// A SHA-256 in hexadecimal digits.
    pub struct Sha256Hex {
        pattern = "^[0-9a-f]{64}$",
        example = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        rule = "must be 64 lowercase hexadecimal digits",
        check = |text| text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
    }
}
