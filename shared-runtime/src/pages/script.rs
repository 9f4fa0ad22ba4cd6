//! The script of all pages.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::text::Text;
use crate::http::compression::FixedText;

const SOURCE: &str = include_str!("assets/script.js");

/// What the script says, by the names that it uses.
#[rustfmt::skip]
const WORDS: &[(&str, Text)] = &[
    ("outdated", text!("This page is out of date.")),
    ("by", text!("Changed by")),
    ("load", text!("Load it again")),
    ("keys", text!("Keys")),
    ("useKeys", text!("Use these keys")),
    ("close", text!("Close")),
    ("thisList", text!("This list")),
    ("drop", text!("Or drop files and folders anywhere on this page. Large files arrive in parts.")),
    ("waiting", text!("Waiting")),
    ("reading", text!("Reading")),
    ("done", text!("Done")),
    ("open", text!("Open")),
    ("pause", text!("Pause")),
    ("resume", text!("Resume")),
    ("offline", text!("The connection was lost. Trying again.")),
    ("remove", text!("Forget")),
    ("interrupted", text!("Interrupted. Choose the file again to continue:")),
    ("proven", text!("This browser has computed the same root, and the signature of the log above it is valid.")),
    ("otherRoot", text!("This browser has computed a different root. Do not rely on this event.")),
    ("otherKey", text!("The signature of the checkpoint is not by the key of the log. Do not rely on this event.")),
];

/// As JSON, in the language of the page.
pub fn words() -> String {
    let words: Map<String, Value> =
        WORDS.iter().map(|(name, text)| ((*name).to_owned(), json!(text.shown()))).collect();
    Value::Object(words).to_string()
}

/// What browsers load, and its name, which is derived from it.
pub struct Script {
    pub name: String,
    pub text: FixedText,
}

pub static SCRIPT: LazyLock<Script> = LazyLock::new(|| {
    let text = without_comments(SOURCE);
    // Browsers keep a script for a year: a changed one needs a changed name.
    let name = format!("{}.js", hex::encode(&Sha256::digest(&text)[..8]));
    Script { name, text: FixedText::new(text) }
});

impl Script {
    pub fn href(&self) -> String {
        format!("/assets/{}", self.name)
    }
}

/// Without comments and indentation, which are a fifth of it.
// By lines, which is right as long as no text of the script spans several of them.
fn without_comments(source: &str) -> String {
    let lines = source.lines().map(str::trim);
    let kept = lines.filter(|line| {
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("/**") && !line.starts_with('*')
    });
    kept.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_script_has_the_words_that_it_says() {
        let after = SOURCE.split("words.").skip(1);
        let said: BTreeSet<&str> =
            after.map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default()).collect();
        assert_eq!(said, WORDS.iter().map(|(name, _)| *name).collect());
    }

    #[test]
    fn the_script_is_small_and_makes_no_html() {
        let bytes = SCRIPT.text.as_str().len();
        assert!(bytes <= 15 * 1024, "{bytes}");
        // Neither makes markup of text, nor runs it.
        for forbidden in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "import("]
        {
            assert!(!SOURCE.contains(forbidden), "{forbidden}");
        }
    }
}
