//! What the cloud service does, seen from outside. The layout mirrors that of the source.

mod commands;
mod comments;
mod documents;
mod edit_plans;
mod etags;
mod export;
mod files;
mod hostile_clients;
mod import;
mod metrics;
mod migrations;
mod not_http;
mod once;
mod outages;
mod pipelining;
mod samples;
mod search;
mod service_information;
mod spreadsheets;
mod starting;
mod stopping;
mod suites;
mod versions;
mod views;
mod workspaces;
mod worst_day;
