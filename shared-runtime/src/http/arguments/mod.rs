//! The arguments of verbs.

pub mod body;
pub mod caller;
pub mod charge;
mod content_digest;
mod counted;
mod if_match;
mod if_none_match;
mod long_poll;
mod must_be_new;
mod optional_if_match;
mod origin;
pub mod path;
pub mod query;
pub mod state;

pub use body::{Body, ByteBody, NoBody, TextBody};
pub use caller::{Anyone, Caller, Permission};
pub use charge::{Charge, VerbLimit};
pub use content_digest::ContentDigest;
pub use counted::Counted;
pub use if_match::IfMatch;
pub use if_none_match::IfNoneMatch;
pub use long_poll::LongPoll;
pub use must_be_new::MustBeNew;
pub use optional_if_match::OptionalIfMatch;
pub use origin::Origin;
pub use path::{FromPath, Path};
pub use query::{FromQuery, Params, Query};
pub use state::State;
