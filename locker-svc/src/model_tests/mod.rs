//! Testing a room's model: a command queues the test, a worker runs the bounded check of [`crate::model_check`].

mod job;
mod queue;

pub use job::job;
pub use queue::queue;

use crate::rooms::{Room, RoomState};

/// Whether a room in this state admits a test.
fn is_open(room: &Room) -> bool {
    matches!(room.state, RoomState::Onboarding | RoomState::Active)
}
