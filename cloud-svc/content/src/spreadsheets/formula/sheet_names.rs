//! The names of a workbook's sheets, as formulas refer to them.

use std::collections::HashSet;

use crate::name_key::name_key;

/// The names of the sheets of a workbook, compared without case.
#[derive(Clone, Debug, Default)]
pub struct SheetNames(HashSet<String>);

impl SheetNames {
    /// Adds a name; false if there is one that reads alike.
    pub fn insert(&mut self, name: &str) -> bool {
        self.0.insert(name_key(name))
    }

    /// Whether there is a sheet of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&name_key(name))
    }
}

impl<'a> FromIterator<&'a str> for SheetNames {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(name_key).collect())
    }
}
