//! The stored states of plans. Files count the open ones, and a file knows nothing else of plans.

shared_model::text_enum! {
    /// The stored state of a plan.
    // Without `expired`, which follows from the clock: no write is needed at the end of a plan.
    pub enum StoredState {
        Proposed = "proposed",
        InReview = "in_review",
        Approved = "approved",
        /// A reviewer has sent it back to its author.
        Returned = "returned",
        Rejected = "rejected",
        Discarded = "discarded",
        Applied = "applied",
    }
}

/// The states in which a plan can still be decided about, until it expires.
pub const OPEN: [StoredState; 4] =
    [StoredState::Proposed, StoredState::InReview, StoredState::Approved, StoredState::Returned];
