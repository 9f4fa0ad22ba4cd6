//! Why a call out has no answer.

use std::fmt;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboundError {
    /// The URL is none that we call: the rule that it breaks.
    Url(&'static str),
    /// It leads, or may lead, to an address that is not a public one.
    AddressBlocked,
    /// The name has no address, or none could be found out.
    Dns,
    /// No connection came about.
    Connect,
    /// TLS could not be agreed upon: why not.
    Tls(&'static str),
    /// It took too long.
    Timeout,
    /// The answer's head or body is larger than asked for.
    TooLarge,
    /// What came back is no HTTP/1.1 answer, or it ended before its end.
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
