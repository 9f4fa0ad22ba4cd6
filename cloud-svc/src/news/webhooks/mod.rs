//! Webhooks: endpoints of a grant that receive the changes of its workspace. An endpoint must answer a challenge first.
//!
//! Each webhook has a place in the sequence of changes. `dispatch/` makes deliveries of the changes after it and sends
//! them.

pub mod create;
pub mod deliveries;
pub mod disable;
pub mod dispatch;
pub mod enable;
pub mod event_type;
pub mod list;
pub mod list_deliveries;
pub mod load_in_state;
pub mod message;
pub mod ping;
pub mod read;
pub mod replay;
pub mod revoke;
pub mod rotate_secret;
pub mod signing_secret;
pub mod store;
pub mod sweep;
pub mod update;
pub mod url;
pub mod verify;
pub mod webhook;
