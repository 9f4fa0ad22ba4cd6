//! What every Fourfold service is built on, in floors. A file imports from lower floors and from its own folder.
//!
//! 1. [`base`]: clock, randomness, logs and metrics, keys, the constants of each service.
//! 2. [`state`]: database, blob store, Redis, rate limits, calls to addresses that strangers name.
//! 3. [`identity`]: access tokens and the grants behind them.
//! 4. [`context`]: settings, and the state of one service that every verb can reach.
//! 5. [`http`]: from request to answer.
//! 6. [`idempotency`], [`jobs`] and [`mcp`]: commands that happen once, work that outlives a request, tools for agents.
//! 7. [`import`] and [`pages`]: files of records; pages for people.
//! 8. [`service`]: start, stop, the operator's endpoints and the command line.

pub mod base;
pub mod context;
pub mod http;
pub mod idempotency;
pub mod identity;
pub mod import;
pub mod jobs;
pub mod mcp;
pub mod pages;
pub mod service;
pub mod state;

pub use base::{clock::Clock, public_key::PublicKey, surface::Surface};
pub use context::Context;
pub use http::{
    arguments::{
        Anyone, Body, ByteBody, Caller, Charge, ContentDigest, FromQuery, IfMatch, IfNoneMatch, MustBeNew, NoBody,
        OptionalIfMatch, Origin, Params, Path, Permission, Query, State, TextBody, VerbLimit,
    },
    download::Download,
    reply::Answer,
    routes::Routes,
};
pub use idempotency::Once;
pub use identity::Identity;
pub use service::Service;
pub use state::{
    blobs::Blobs,
    db::{Conn, Db},
    outbound::Outbound,
};
