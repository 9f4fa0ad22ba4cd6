#![doc = include_str!("../README.md")]

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
        Anyone, Body, ByteBody, Caller, Charge, ContentDigest, Counted, FromQuery, IfMatch, IfNoneMatch, LongPoll,
        MustBeNew, NoBody, OptionalIfMatch, Origin, Params, Path, Permission, Query, State, TextBody, VerbLimit,
    },
    download::Download,
    flow::Waiting,
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
