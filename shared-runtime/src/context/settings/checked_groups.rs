//! The checked settings that only some services have.

use std::{any::Any, fmt, sync::Arc};

/// Checked groups, by their types.
#[derive(Clone, Default)]
pub struct CheckedGroups(Vec<Arc<dyn Any + Send + Sync>>);

impl CheckedGroups {
    /// Adds one; tests and the local stack do without a command line.
    pub fn insert<T: Send + Sync + 'static>(&mut self, checked: T) {
        self.0.push(Arc::new(checked));
    }

    /// The group of this type, if it is set.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.iter().find_map(|group| group.downcast_ref())
    }
}

impl fmt::Debug for CheckedGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No values: some groups may have secrets.
        write!(f, "{} groups", self.0.len())
    }
}
