//! What the cloud service does, seen from outside. The layout mirrors that of the source.

mod documents;
mod hostile_clients;
mod metrics;
mod migrations;
mod not_http;
mod once;
mod outages;
mod pipelining;
mod samples;
mod service_information;
mod starting;
mod stopping;
mod suites;
mod workspaces;
