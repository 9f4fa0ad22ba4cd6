//! The runtime through HTTP, under a service of one operation, on whichever backend this run has.

mod identity;
mod jobs;
mod mcp;
mod ops;
mod outbound;
mod pages;
mod tables;
