//! The names of hidden fields, which every form has.

/// Proves that the service made the form, for this session.
pub const CSRF: &str = "csrf";
/// The form's idempotency key: submitted twice, it happens once.
pub const KEY: &str = "key";
