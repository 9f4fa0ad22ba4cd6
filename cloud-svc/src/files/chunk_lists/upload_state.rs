//! How far an upload is.

shared_model::text_enum! {
    /// How far an upload is.
    pub enum UploadState {
        /// It can be gone on with.
        Pending = "pending",
        /// It has become a file, or a version of one.
        Completed = "completed",
        /// It was given up, did not have the hash that it was to have, or took too long.
        Cancelled = "cancelled",
    }
}
