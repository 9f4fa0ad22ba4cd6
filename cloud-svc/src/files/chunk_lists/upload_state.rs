//! The states of an upload.

shared_model::text_enum! {
    /// The state of an upload.
    pub enum UploadState {
        /// It accepts chunks.
        Pending = "pending",
        /// It has become a file, or a version of one.
        Completed = "completed",
        /// It was cancelled or expired, or its bytes did not match the SHA-256.
        Cancelled = "cancelled",
    }
}
