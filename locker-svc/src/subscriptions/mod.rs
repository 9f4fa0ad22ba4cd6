//! Subscriptions: what pays for a room, month by month (spec: Billing subscription).

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
pub use store::{batch, find};
pub use subscription::{Subscription, SubscriptionRecord};
