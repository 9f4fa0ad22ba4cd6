//! Rooms: where an owner's package lives, which image it runs, and the model that it talks to.

mod import;
mod room;
mod store;

pub use import::{RoomRecord, import};
pub use room::{Room, RoomState, key_encryptor};
pub use store::{find, find_owned, insert_bare, owner_of};
