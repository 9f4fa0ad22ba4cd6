//! Building blocks that need nothing but the machine and shared-model.

pub mod allocator;
pub mod atomic_file;
pub mod backoff;
pub mod bounded_cache;
pub mod clock;
pub mod encryption;
pub mod failpoint;
pub mod fault;
pub mod https_url;
pub mod limited_body;
pub mod metrics;
pub mod program_pages;
pub mod progress;
pub mod public_key;
pub mod request_id;
pub mod signing_key;
pub mod surface;
pub mod telemetry;
pub mod tls;
pub mod trace_context;
