//! The closed table of the refusals that only this service has; the shared ones are in the runtime's table.

#[rustfmt::skip]
shared_model::code_table! {
    PARENT_NOT_FOLDER = "parent_not_folder", 409, CorrectOne("/parent_id", "must be an active folder of the workspace"), "The parent is a file, not a folder.";
    PARENT_TRASHED    = "parent_trashed",    409, CorrectOne("/parent_id", "must be an active folder of the workspace"), "The parent folder is in the trash.";
    QUOTA_EXCEEDED    = "quota_exceeded",    413, ContactSupport, "The workspace's storage quota is used up.";
}
