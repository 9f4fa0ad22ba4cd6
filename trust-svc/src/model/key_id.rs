//! The name of a signer's key.

shared_model::text_type! {
    /// The name of a signer's key.
    pub struct KeyId {
        pattern = "^[!-~]{1,100}$",
        example = "desk-2026",
        rule = "must be 1 to 100 visible ASCII characters",
        // The key id is one line of the signed text: a line break in it could forge the lines after it.
        check = |text| (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_id_cannot_break_the_signing_text() {
        assert!("press-2026/1".parse::<KeyId>().is_ok());
        for text in ["", "a b", "a\nb", "ä", &"x".repeat(101)] {
            assert!(text.parse::<KeyId>().is_err(), "{text:?}");
        }
    }
}
