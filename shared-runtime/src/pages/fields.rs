//! Query strings and forms, read strictly: known names, each once, in UTF-8.

use std::collections::HashMap;

use percent_encoding::percent_decode;
use shared_model::{Problems, Refusal, code, problem::shown_name};

/// Submitted values by name.
#[derive(Debug, Default)]
pub struct Fields(HashMap<String, String>);

impl Fields {
    /// Form-encoded text; 400 for unknown names, and for names that are sent twice.
    pub fn read(encoded: &[u8], known: impl Fn(&str) -> bool) -> Result<Self, Refusal> {
        Self::read_some(encoded, known, false)
    }

    /// The same, but may ignore unknown names.
    pub fn read_some(encoded: &[u8], known: impl Fn(&str) -> bool, ignores_others: bool) -> Result<Self, Refusal> {
        let problems = Problems::default();
        if percent_decode(encoded).decode_utf8().is_err() {
            problems.note("form", "must be UTF-8, percent-encoded");
        }
        let mut values = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            if !known(&name) {
                if !ignores_others {
                    problems.note(shown_name(&name), "is not a field of this page");
                }
            } else if values.contains_key(&*name) {
                problems.note(name, "must be sent once");
            } else {
                values.insert(name.into_owned(), value.into_owned());
            }
        }
        if problems.is_empty() {
            return Ok(Self(values));
        }
        Err(Refusal::problems(&code::INVALID_REQUEST, problems.into_vec()))
    }

    /// Fields that are decoded already, under the same rules.
    pub fn from_pairs(pairs: Vec<(String, String)>, known: impl Fn(&str) -> bool) -> Result<Self, Refusal> {
        let encoded = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Self::read(encoded.as_bytes(), known)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The values of `prefix-0`, `prefix-1` …, in this order.
    pub fn numbered(&self, prefix: &str) -> Vec<&str> {
        let number = |name: &str| name.strip_prefix(prefix)?.strip_prefix('-')?.parse::<usize>().ok();
        let mut found: Vec<(usize, &str)> =
            self.0.iter().filter_map(|(name, value)| Some((number(name)?, value.as_str()))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, value)| value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(encoded: &str) -> Result<Fields, Refusal> {
        Fields::read(encoded.as_bytes(), |name| ["q", "cursor"].contains(&name))
    }

    #[test]
    fn known_fields_are_read_as_forms_encode_them() {
        let fields = read("q=two+words%2B%C3%A9&cursor=").expect("well-formed");
        assert_eq!((fields.get("q"), fields.get("cursor")), (Some("two words+é"), Some("")));
        assert_eq!(read("").expect("nothing").get("q"), None);
    }

    #[test]
    fn unknown_repeated_and_undecodable_fields_are_refused() {
        for wrong in ["x=1", "q=1&q=2", "q=%FF", "Q=1"] {
            assert_eq!(read(wrong).expect_err(wrong).code.name, "invalid_request", "{wrong}");
        }
    }
}
