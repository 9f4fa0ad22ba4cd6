//! Subscriptions: monthly payments for a room. Billing exports them; there is no API to change them.

mod import;
mod list;
mod set_state;
mod state;
mod store;
mod subscription;

pub use import::import;
pub use list::list;
pub use set_state::{StateChange, set_state};
pub use state::SubscriptionState;
pub use store::{find, list_batch};
pub use subscription::{Subscription, SubscriptionRecord};
