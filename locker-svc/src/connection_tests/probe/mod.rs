//! Probes a model endpoint: is it reachable, does it accept the key, does it answer like a chat model?
//!
//! The endpoint may be hostile. So a probe has at most three requests, 20 seconds and 64 KiB for each answer. It has
//! one outcome of a closed list, and stores no part of the key.

mod classify;
mod endpoint;
mod note;
mod report;
mod run;

pub use endpoint::{ModelEndpoint, ProbeLimits};
pub use report::{ProbeOutcome, ProbePhases, ProbeReport};
pub use run::probe;
