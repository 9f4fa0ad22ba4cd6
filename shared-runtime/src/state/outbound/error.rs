//! Why a call has no answer.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboundError {
    /// The rule that the URL breaks.
    Url(&'static str),
    /// At least one address of the target is not public.
    AddressBlocked,
    Dns,
    Connect,
    /// Why the TLS handshake failed.
    Tls(&'static str),
    Timeout,
    /// Head or body of the answer exceeds its limit.
    TooLarge,
    /// Not an HTTP/1.1 answer, or a truncated one.
    BadAnswer,
}

impl fmt::Display for OutboundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(why) | Self::Tls(why) => why,
            Self::AddressBlocked => "the address is not a public one",
            Self::Dns => "the name has no address",
            Self::Connect => "the connection was refused",
            Self::Timeout => "it took too long",
            Self::TooLarge => "the answer is too large",
            Self::BadAnswer => "the answer is not HTTP, or it was cut off",
        })
    }
}

impl std::error::Error for OutboundError {}
