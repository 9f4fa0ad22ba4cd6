//! The ways to reach the service: HTTP routes, tools for agents, pages for people, the command line.

pub mod cli;
pub mod guide;
pub mod mcp;
pub mod pages;
pub mod routes;
pub mod service_information;
