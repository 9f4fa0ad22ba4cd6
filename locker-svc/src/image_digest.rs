//! The digest of a container image: `sha256:` and 64 lowercase hexadecimal digits (OCI image specification).

const ALGORITHM_PREFIX: &str = "sha256:";

shared_model::text_type! {
    /// Identifies an image by its content.
    pub struct ImageDigest {
        pattern = "^sha256:[0-9a-f]{64}$",
        example = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        rule = "must be sha256: and 64 lowercase hexadecimal digits",
        // One spelling only: digests are compared as text, in SQL and in code.
        check = |text| text.strip_prefix(ALGORITHM_PREFIX).is_some_and(|digits| {
            digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }),
    }
}

impl ImageDigest {
    pub fn hex(&self) -> &str {
        &self.0[ALGORITHM_PREFIX.len()..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_spelling() {
        let digits = "0123456789abcdef".repeat(4);
        let digest: ImageDigest = format!("sha256:{digits}").parse().expect("a digest");
        assert_eq!(digest.hex(), digits);
        for text in [digits.clone(), format!("sha512:{digits}"), format!("sha256:{}", digits.to_uppercase())] {
            assert!(text.parse::<ImageDigest>().is_err(), "{text}");
        }
        assert!(format!("sha256:{digits}0").parse::<ImageDigest>().is_err());
    }
}
