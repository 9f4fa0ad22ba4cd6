//! What the cloud service does, seen from outside.

mod authorization;
mod hostile;
mod once;
mod plays;
