//! The path of a request: route, admission, arguments, verb, reply, envelope.

pub mod admission;
pub mod argument;
pub mod arguments;
pub mod compression;
pub mod contract;
mod cors;
pub mod download;
pub mod edge;
pub(crate) mod flow;
pub(crate) mod grant_check;
pub mod incoming_body;
pub mod list;
mod meant_operation;
pub(crate) mod measures;
mod next_action;
pub mod openapi;
pub mod operations;
pub mod reply;
pub(crate) mod resource_for_host;
mod route_tree;
pub mod routes;
pub(crate) mod source_address;
mod unrouted;
