//! The arguments that verbs take.

pub mod body;
pub mod caller;
pub mod charge;
pub mod headers;
pub mod path;
pub mod query;
pub mod state;

pub use body::{Body, NoBody};
pub use caller::{Anyone, Caller, Permission};
pub use charge::{Charge, VerbLimit};
pub use headers::{IfMatch, IfNoneMatch, Origin};
pub use path::{FromPath, Path};
pub use query::{FromQuery, Params, Query};
pub use state::State;
