//! Types that all folders use: ids, events, states. They import no other folder and read no database.

pub mod event;
pub mod event_hash;
pub mod key_id;
pub mod market_state;
pub mod numbers;

pub use event::{Event, EventId, EventKind, MarketId};
pub use event_hash::EventHash;
pub use key_id::KeyId;
pub use market_state::MarketState;
pub use numbers::check_numbers;
