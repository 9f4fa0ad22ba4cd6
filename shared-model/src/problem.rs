//! What is wrong with a request, place by place: all problems at once, so that one correction is enough.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One thing to correct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A JSON pointer into the body (RFC 6901; empty for the whole), or the name of a parameter or header.
    pub at: String,
    /// The rule that is broken, with its limit: "must be at most 190 bytes".
    pub rule: String,
}

/// Problems noted while a request is read.
#[derive(Debug, Default)]
pub struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    /// More problems than a person or an agent corrects in one go are not listed.
    pub const MAX: usize = 50;

    /// Notes that what is at `at` breaks `rule`.
    pub fn note(&self, at: impl Into<String>, rule: impl Into<String>) {
        let mut list = self.0.borrow_mut();
        if list.len() < Self::MAX {
            list.push(Problem { at: at.into(), rule: rule.into() });
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// The problems in the order they were met.
    pub fn into_vec(self) -> Vec<Problem> {
        self.0.into_inner()
    }
}
