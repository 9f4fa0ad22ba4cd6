//! What is wrong with a token.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// For the debug log only, without content of the token: anyone may have made it.
    Unproven(&'static str),
    /// A sentence for the holder, without its period: the issuer signed the token, or the operator revoked its
    /// grant.
    Proven(String),
}

impl TokenError {
    /// What the holder of the token may know.
    pub fn public_reason(&self) -> Option<&str> {
        match self {
            Self::Unproven(_) => None,
            Self::Proven(sentence) => Some(sentence),
        }
    }
}
