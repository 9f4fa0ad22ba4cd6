//! The bounded probe of a model endpoint: is it reachable, does it accept the key, does it answer as a chat model does?
//!
//! The endpoint may be hostile: at most three requests, 20 seconds, 64 KiB for each answer, one outcome of a closed list, and
//! no part of the key in anything that is kept of its answers.

mod classify;
mod endpoint;
mod note;
mod report;
mod run;

pub use endpoint::{ModelEndpoint, ProbeLimits};
pub use report::{ProbeOutcome, ProbePhases, ProbeReport};
pub use run::probe;
