//! The cloud service as its callers see it. The layout mirrors that of the source.

mod authorization;
mod documents;
mod everyone;
mod hostile;
mod once;
mod plays;
mod scene;
mod service_information;
mod workspaces;
