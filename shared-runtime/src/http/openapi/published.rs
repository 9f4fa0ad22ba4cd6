//! The OpenAPI document as it is served, and what else is known from the routes.

use sha2::{Digest as _, Sha256};

use crate::http::{
    compression::{Coding, FixedText},
    routes::Routes,
};

pub struct OpenApiText {
    text: FixedText,
    hash: [u8; 32],
    scopes: Vec<&'static str>,
    paths: Vec<&'static str>,
}

impl OpenApiText {
    /// `document` may be indented; it is served without white space between its tokens.
    pub fn new(document: &str, routes: &Routes) -> Self {
        let text = compact(document);
        let mut scopes: Vec<_> = routes.contracts().filter_map(|contract| Some(contract.required()?.scope)).collect();
        scopes.sort_unstable();
        scopes.dedup();
        let paths = routes.contracts().map(|contract| contract.path).collect();
        Self { hash: Sha256::digest(text.as_bytes()).into(), text: FixedText::new(text), scopes, paths }
    }

    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The text in this coding.
    pub fn bytes(&self, coding: Coding) -> Vec<u8> {
        self.text.bytes(coding)
    }

    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The scopes that operations need, sorted.
    pub fn scopes(&self) -> &[&'static str] {
        &self.scopes
    }

    pub fn has_path(&self, path: &str) -> bool {
        self.paths.contains(&path)
    }
}

/// JSON text without the white space between its tokens. Not parsed: a tree of Cloud's document takes 20 MB.
fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 5 / 8);
    let (mut is_in_string, mut is_escaped) = (false, false);
    for c in json.chars() {
        if is_in_string || !matches!(c, ' ' | '\n' | '\r' | '\t') {
            out.push(c);
        }
        match c {
            '"' if !is_escaped => is_in_string = !is_in_string,
            '\\' if is_in_string && !is_escaped => {
                is_escaped = true;
                continue;
            }
            _ => {}
        }
        is_escaped = false;
    }
    out.shrink_to_fit();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_except_in_strings() {
        let pretty = "{\n  \"a b\": [\n    1,\n    \"\\\\\"\n  ],\n  \"c\": \"x \\\" y\"\n}\n";
        assert_eq!(compact(pretty), "{\"a b\":[1,\"\\\\\"],\"c\":\"x \\\" y\"}");
    }
}
