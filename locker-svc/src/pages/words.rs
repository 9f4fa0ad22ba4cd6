//! States in words.

use shared_runtime::pages::Text;

use crate::{exports::ExportState, rooms::RoomState};

pub fn room(state: RoomState) -> Text {
    match state {
        RoomState::Onboarding => text!("Being set up"),
        RoomState::Active => text!("In use"),
        RoomState::Suspended => text!("Stopped"),
        RoomState::Closed => text!("Closed"),
    }
}

pub fn export(state: ExportState) -> Text {
    match state {
        ExportState::Building => text!("Being built"),
        ExportState::Ready => text!("Ready"),
        ExportState::Failed => text!("Failed"),
        ExportState::Expired => text!("Expired"),
        ExportState::Revoked => text!("Revoked"),
    }
}
