//! States in words.

use crate::{exports::ExportState, rooms::RoomState};

pub fn room(state: RoomState) -> &'static str {
    match state {
        RoomState::Onboarding => "Being set up",
        RoomState::Active => "In use",
        RoomState::Suspended => "Stopped",
        RoomState::Closed => "Closed",
    }
}

pub fn export(state: ExportState) -> &'static str {
    match state {
        ExportState::Building => "Being built",
        ExportState::Ready => "Ready",
        ExportState::Failed => "Failed",
        ExportState::Expired => "Expired",
        ExportState::Revoked => "Revoked",
    }
}
