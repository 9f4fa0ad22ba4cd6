//! The stage and the cast: what every test of a service needs, and nothing that a test should say itself.
//!
//! ```ignore
//! #[test]
//! fn a_stranger_cannot_see_that_the_file_exists() {
//!     run(async {
//!         let stage = Stage::of(cloud_svc::service()).await;
//!         let (ada, bob) = (stage.caller("ada").workspace(1), stage.caller("bob").workspace(2));
//!         let created = ada.post("/v1/documents").fresh_key().json(json!({"name": "Plan"})).await.status(200);
//!         bob.get(format!("/v1/documents/{}", created["file"]["id"].text())).await.refused(404, "not_found");
//!     });
//! }
//! ```

pub mod authorization;
pub mod database;
pub mod hostile;
pub mod rogue;
pub mod servers;

mod cast;
mod child;
mod failures;
mod play;
mod redact;
mod request;
mod run;
mod stage;
mod told;
mod wire;

pub use cast::{Caller, Issuer, Token};
pub use child::Child;
pub use play::Play;
pub use redact::redacted;
pub use request::{Request, together};
pub use run::run;
pub use stage::{Setting, Stage};
pub use told::{Text, Told};
