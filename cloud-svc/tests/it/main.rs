//! What the cloud service does, seen from outside. The layout mirrors that of the source.

mod authorization;
mod documents;
mod fixtures;
mod hostile;
mod migrations;
mod once;
mod scene;
mod service_information;
mod workspaces;
