//! What is wrong with a token.

/// What is wrong with a token: for the debug log only, and free of the token's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw(pub &'static str);
