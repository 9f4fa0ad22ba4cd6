//! All that is wrong with the settings, collected before anything is started.

use std::fmt;

/// Mistakes in the settings: which one, and the rule it breaks. Values are not repeated: they may be secrets.
#[derive(Debug, Default)]
pub struct Mistakes(Vec<(&'static str, String)>);

impl Mistakes {
    /// Notes a mistake in the setting of this name.
    pub fn note(&mut self, setting: &'static str, rule: impl Into<String>) {
        self.0.push((setting, rule.into()));
    }

    /// The value, or `None` with its rule noted.
    pub fn check<T, E: fmt::Display>(&mut self, setting: &'static str, parsed: Result<T, E>) -> Option<T> {
        parsed.map_err(|rule| self.note(setting, rule.to_string())).ok()
    }

    /// Whether a mistake was found in the setting of this name.
    pub fn has(&self, setting: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == setting)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the settings have {} mistake(s):", self.0.len())?;
        self.0.iter().try_for_each(|(setting, rule)| write!(f, "\n  {setting} {rule}"))
    }
}

impl std::error::Error for Mistakes {}
