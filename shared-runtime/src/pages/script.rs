//! The script of all pages.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

const SOURCE: &str = include_str!("assets/script.js");

/// What browsers load, and its name, which is derived from it.
pub struct Script {
    pub name: String,
    pub text: String,
}

pub static SCRIPT: LazyLock<Script> = LazyLock::new(|| {
    let text = without_comments(SOURCE);
    // Browsers keep a script for a year: a changed one needs a changed name.
    Script { name: format!("{}.js", hex::encode(&Sha256::digest(&text)[..8])), text }
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
    use super::*;

    #[test]
    fn the_script_is_small_and_makes_no_html() {
        assert!(SCRIPT.text.len() <= 15 * 1024, "{}", SCRIPT.text.len());
        // Neither makes markup of text, nor runs it.
        for forbidden in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "import("]
        {
            assert!(!SOURCE.contains(forbidden), "{forbidden}");
        }
    }
}
