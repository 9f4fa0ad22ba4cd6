//! The cloud service as its callers see it. The layout mirrors that of the source.

mod documents;
mod everyone;
mod scene;
mod service_information;
mod workspaces;
