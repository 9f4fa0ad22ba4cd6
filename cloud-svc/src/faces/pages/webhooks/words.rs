//! What states, events and errors of webhooks are called.

use shared_runtime::pages::Text;

use crate::news::webhooks::{deliveries::delivery::DeliveryStatus, event_type::EventType, webhook::WebhookState};

pub fn state(state: WebhookState) -> Text {
    match state {
        WebhookState::Pending => text!("Waiting for its endpoint to answer"),
        WebhookState::Active => text!("Active"),
        WebhookState::Disabled => text!("Disabled"),
        WebhookState::Revoked => text!("Revoked"),
    }
}

pub fn status(status: DeliveryStatus) -> Text {
    match status {
        DeliveryStatus::Pending => text!("Pending"),
        DeliveryStatus::Delivered => text!("Delivered"),
        DeliveryStatus::Failed => text!("Failed"),
        DeliveryStatus::Cancelled => text!("Cancelled"),
    }
}

pub fn event(event: EventType) -> Text {
    match event {
        EventType::All => text!("Everything that happens"),
        EventType::PlanApplied => text!("A plan is applied"),
        EventType::FileCreated => text!("A file is created"),
        EventType::FileUpdated => text!("A file has a new version"),
        EventType::FileRenamed => text!("A file is renamed"),
        EventType::FileMoved => text!("A file is moved"),
        EventType::FileTrashed => text!("A file is moved to the trash"),
        EventType::FileRestored => text!("A file is taken out of the trash"),
        EventType::FilePurged => text!("A file is deleted for good"),
        EventType::VersionRestored => text!("An earlier version is restored"),
        EventType::CommentCreated => text!("Somebody comments"),
        EventType::CommentUpdated => text!("A comment is changed"),
        EventType::CommentResolved => text!("A comment is resolved"),
        EventType::CommentReopened => text!("A comment is reopened"),
        EventType::CommentDeleted => text!("A comment is deleted"),
        EventType::AgentMentioned => text!("A comment calls an agent"),
        EventType::UploadCompleted => text!("An upload is complete"),
        EventType::DraftPromoted => text!("A draft becomes a file"),
        EventType::PlanReviewRequested => text!("A plan needs a review"),
        EventType::PlanApproved => text!("A plan is approved"),
        EventType::PlanReturned => text!("A plan is sent back to its author"),
        EventType::PlanRejected => text!("A plan is rejected"),
        EventType::PlanDiscarded => text!("A plan is discarded"),
        EventType::WebhookDisabled => text!("A webhook is disabled, because nothing can be sent to it"),
    }
}

/// Why an attempt failed; an unknown word as it is.
pub fn error(word: &str) -> String {
    let known = match word {
        "timeout" => text!("no answer in time"),
        "dns" => text!("no address for its host"),
        "blocked_address" => text!("its host has an address that is not public"),
        "tls" => text!("no trusted connection"),
        "connect" => text!("no connection"),
        "redirect" => text!("a redirect, which is not followed"),
        "challenge_mismatch" => text!("a wrong answer to the challenge"),
        "gone" => text!("the endpoint said that it is gone (410)"),
        "secret_unreadable" => text!("its secret can no longer be read: make a new secret, then enable the webhook"),
        _ => return word.to_owned(),
    };
    known.into()
}
