//! What is wrong with a token.

/// What is wrong with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// For the debug log only, and free of the token's content: whether the issuer made the token is not known.
    Unproven(&'static str),
    /// A sentence for the holder, without its full stop: the issuer signed the token, or the operator revoked its grant.
    Proven(String),
}

impl Flaw {
    /// What the holder may know.
    pub fn told(&self) -> Option<&str> {
        match self {
            Self::Unproven(_) => None,
            Self::Proven(sentence) => Some(sentence),
        }
    }
}
