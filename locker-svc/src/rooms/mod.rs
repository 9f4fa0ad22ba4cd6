//! Rooms: each has an owner, the image that it runs, and the model that it uses. Operators import them; there is no
//! API to change them.

mod import;
mod room;

pub use import::{RoomRecord, import};
pub use room::{Room, RoomState, find, find_owned, find_owner, insert_placeholder, key_encryptor, list_owned};
