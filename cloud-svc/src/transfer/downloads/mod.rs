//! Downloads: a short-lived link to a version of a file, and the bytes behind it.

pub mod fetch;
pub mod form;
pub mod grant;
pub mod link;
pub mod source;
