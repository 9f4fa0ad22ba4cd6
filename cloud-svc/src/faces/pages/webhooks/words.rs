//! What states, events and errors of webhooks are called.

use crate::news::webhooks::{deliveries::delivery::DeliveryStatus, event_type::EventType, webhook::WebhookState};

pub fn state(state: WebhookState) -> &'static str {
    match state {
        WebhookState::Pending => "Waits for the answer of its endpoint",
        WebhookState::Active => "Active",
        WebhookState::Disabled => "Disabled",
        WebhookState::Revoked => "Revoked",
    }
}

pub fn status(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "Pending",
        DeliveryStatus::Delivered => "Delivered",
        DeliveryStatus::Failed => "Failed",
        DeliveryStatus::Cancelled => "Cancelled",
    }
}

pub fn event(event: EventType) -> &'static str {
    match event {
        EventType::All => "Everything that happens",
        EventType::PlanApplied => "A plan is applied",
        EventType::FileCreated => "A file is made",
        EventType::FileUpdated => "A file has a new version",
        EventType::FileRenamed => "A file is renamed",
        EventType::FileMoved => "A file is moved",
        EventType::FileTrashed => "A file is moved to the trash",
        EventType::FileRestored => "A file is taken out of the trash",
        EventType::FilePurged => "A file is deleted for good",
        EventType::VersionRestored => "An earlier version is restored",
        EventType::CommentCreated => "Somebody comments",
        EventType::CommentUpdated => "A comment is changed",
        EventType::CommentResolved => "A comment is resolved",
        EventType::CommentReopened => "A comment is reopened",
        EventType::CommentDeleted => "A comment is deleted",
        EventType::AgentMentioned => "A comment calls an agent",
        EventType::UploadCompleted => "An upload is complete",
        EventType::DraftPromoted => "A draft becomes a file",
        EventType::PlanReviewRequested => "A plan needs a review",
        EventType::PlanApproved => "A plan is approved",
        EventType::PlanReturned => "A plan is sent back to its author",
        EventType::PlanRejected => "A plan is rejected",
        EventType::PlanDiscarded => "A plan is discarded",
        EventType::WebhookDisabled => "A webhook is disabled, because its endpoint cannot be reached",
    }
}

/// Why an attempt failed; an unknown word as it is.
pub fn error(word: &str) -> &str {
    match word {
        "timeout" => "no answer in time",
        "dns" => "no address for its host",
        "blocked_address" => "its host has an address that is not public",
        "tls" => "no trusted connection",
        "connect" => "no connection",
        "redirect" => "a redirect, which is not followed",
        "challenge_mismatch" => "a wrong answer to the challenge",
        "gone" => "the endpoint said that it is gone (410)",
        _ => word,
    }
}
