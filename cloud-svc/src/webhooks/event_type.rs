//! The events that a webhook can be told of.

use crate::changes::ChangeType;

shared_model::text_enum! {
    /// An event that a webhook can be told of. They have the names of changes; `plan.applied` is a `file.updated` that came of a
    /// plan, told under this name to those who did not ask for every update.
    pub enum EventType {
        /// All of them.
        All = "*",
        /// A file or folder is new.
        FileCreated = "file.created",
        /// A file has a new version.
        FileUpdated = "file.updated",
        /// It has another name.
        FileRenamed = "file.renamed",
        /// It is in another folder.
        FileMoved = "file.moved",
        /// It went to the trash.
        FileTrashed = "file.trashed",
        /// It came back.
        FileRestored = "file.restored",
        /// It is gone.
        FilePurged = "file.purged",
        /// A file has the content of an earlier version again.
        VersionRestored = "version.restored",
        /// A comment is new.
        CommentCreated = "comment.created",
        /// It says something else.
        CommentUpdated = "comment.updated",
        /// It is resolved.
        CommentResolved = "comment.resolved",
        /// It is open again.
        CommentReopened = "comment.reopened",
        /// It is gone.
        CommentDeleted = "comment.deleted",
        /// An upload has become a file, or a version of one.
        UploadCompleted = "upload.completed",
        /// A draft has become a file, or a version of one.
        DraftPromoted = "draft.promoted",
        /// Somebody asks for a review of a plan.
        PlanReviewRequested = "plan.review_requested",
        /// A plan is approved.
        PlanApproved = "plan.approved",
        /// A plan is rejected.
        PlanRejected = "plan.rejected",
        /// A plan is applied.
        PlanApplied = "plan.applied",
        /// A webhook is told nothing more, because it cannot be reached.
        WebhookDisabled = "webhook.disabled",
    }
}

/// The name under which those who want these events are told of a change, if they are.
pub fn told_as(wanted: &[EventType], change: ChangeType, has_plan: bool) -> Option<EventType> {
    let of_change = EventType::of(change.as_str())?;
    if wanted.contains(&EventType::All) || wanted.contains(&of_change) {
        return Some(of_change);
    }
    let is_apply = of_change == EventType::FileUpdated && has_plan;
    (is_apply && wanted.contains(&EventType::PlanApplied)).then_some(EventType::PlanApplied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_wants_all_is_told_of_every_change_under_its_own_name() {
        for (word, change) in ChangeType::ALL {
            let told = told_as(&[EventType::All], *change, true).expect("an event for every change");
            assert_eq!(told.as_str(), *word);
            assert_eq!(told_as(&[told], *change, false), Some(told));
        }
    }

    #[test]
    fn an_applied_plan_is_told_once() {
        let told = |wanted: &[EventType], has_plan| told_as(wanted, ChangeType::FileUpdated, has_plan);
        assert_eq!(told(&[EventType::PlanApplied], true), Some(EventType::PlanApplied));
        assert_eq!(told(&[EventType::PlanApplied], false), None);
        assert_eq!(told(&[EventType::PlanApplied, EventType::FileUpdated], true), Some(EventType::FileUpdated));
        assert_eq!(told(&[EventType::FileMoved], true), None);
    }
}
