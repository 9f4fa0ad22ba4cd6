//! Parameters of a request, each at most once (RFC 6749 §3.1).

use std::collections::HashMap;

/// The parameters by their names; those without a value are left out (RFC 6749 §3.1).
#[derive(Debug)]
pub struct Fields(HashMap<String, String>);

impl Fields {
    /// Reads them; an error when one comes twice.
    pub fn read(encoded: &[u8]) -> Result<Self, &'static str> {
        let mut fields = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            if !value.is_empty() && fields.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err("a parameter comes twice");
            }
        }
        Ok(Self(fields))
    }

    /// The value of one.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}
