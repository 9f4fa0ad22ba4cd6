//! The names of a workbook's sheets, to which formulas refer.

use std::collections::HashSet;

use crate::name_key::name_key;

/// Names that are compared without case.
// Other programs ignore case in a reference: `budget!A1` must find the sheet "Budget", and no second one.
#[derive(Clone, Debug, Default)]
pub struct SheetNames(HashSet<String>);

impl SheetNames {
    /// Adds a name; false if one with the same key is there.
    pub fn insert(&mut self, name: &str) -> bool {
        self.0.insert(name_key(name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&name_key(name))
    }
}

impl<'a> FromIterator<&'a str> for SheetNames {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(name_key).collect())
    }
}
