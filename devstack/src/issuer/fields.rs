//! Request parameters, each at most once (RFC 6749 §3.1).

use std::collections::HashMap;

/// Values by name. Parameters without a value count as missing (RFC 6749 §3.1).
#[derive(Debug)]
pub struct Fields(HashMap<String, String>);

impl Fields {
    /// Parses form-encoded text; an error if a name is repeated.
    pub fn read(encoded: &[u8]) -> Result<Self, &'static str> {
        let mut fields = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            if !value.is_empty() && fields.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err("a parameter is repeated");
            }
        }
        Ok(Self(fields))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}
