#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod attacks;
pub mod authorization;
mod browser;
mod caller;
mod certificate;
pub mod command_line;
pub mod crashes;
pub mod database;
pub mod disks;
mod failures;
mod free_port;
pub mod held_lane;
pub mod histories;
pub mod hostile;
pub mod hostile_server;
pub mod html;
pub mod metrics_table;
mod next_actions;
mod operation_fixture;
mod page_fixture;
mod postgres_pair;
mod redact;
pub mod reference;
mod relay;
mod request;
mod response;
mod run;
#[cfg(feature = "s3-server")]
pub mod s3_server;
pub mod servers;
mod service_process;
pub mod sources;
mod stage;
pub mod tables;
mod test_server;
mod token;
pub mod tools;
mod variable;
mod wire;

pub use browser::{Browser, FormFile};
pub use caller::Caller;
pub use certificate::{Authority, certificate};
pub use free_port::free_address;
pub use operation_fixture::OperationFixture;
pub use page_fixture::PageFixture;
pub use postgres_pair::PostgresPair;
pub use redact::redacted;
pub use relay::Relay;
pub use request::{Request, together};
pub use response::{Response, Text};
#[doc(hidden)]
pub use run::run;
pub use service_process::ServiceProcess;
pub use shared_testing_macros::test;
pub use stage::{SERVICE_SECRET, Stage, StageBuilder};
pub use token::{Issuer, Token};
pub use variable::variable;
