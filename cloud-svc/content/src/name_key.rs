//! The key of a name, by which names are compared and searched.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;

/// NFKC of the case-folded name (Unicode 3.13, compatibility caseless match).
pub fn name_key(name: &str) -> String {
    // The usual case, in which the key is the lower-case name.
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Folding can undo the normal form, and the normal form can bring new uppercase letters. So both run twice.
    name.nfd().default_case_fold().nfkc().default_case_fold().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::name_key;

    #[test]
    fn names_that_read_alike_have_one_key() {
        assert_eq!(name_key("Straße"), name_key("STRASSE"));
        assert_eq!(name_key("ﬁle ①"), name_key("FILE 1"));
        assert_eq!(name_key("É"), name_key("e\u{301}"));
        assert_eq!(name_key("Plan 7"), "plan 7");
        assert_ne!(name_key("e"), name_key("é"));
    }
}
