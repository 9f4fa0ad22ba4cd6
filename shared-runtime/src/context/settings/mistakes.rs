//! All mistakes in the settings, collected before the service starts.

use std::fmt;

/// Names of settings, and the rules they break. Never their values: some are secrets.
#[derive(Debug, Default)]
pub struct Mistakes(Vec<(String, String)>);

impl Mistakes {
    pub fn note(&mut self, setting: &str, rule: impl Into<String>) {
        self.0.push((setting.to_owned(), rule.into()));
    }

    /// The value; `None` for a mistake, which is noted.
    pub fn check<T, E: fmt::Display>(&mut self, setting: &str, parsed: Result<T, E>) -> Option<T> {
        parsed.map_err(|rule| self.note(setting, rule.to_string())).ok()
    }

    pub fn has(&self, setting: &str) -> bool {
        self.0.iter().any(|(name, _)| name == setting)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.len();
        write!(f, "{number} mistake{} in the settings:", if number == 1 { "" } else { "s" })?;
        self.0.iter().try_for_each(|(setting, rule)| write!(f, "\n  {setting} {rule}"))
    }
}

impl std::error::Error for Mistakes {}
