//! The closed table of the refusals that only this service has; the shared ones are in the runtime's table.

#[rustfmt::skip]
shared_runtime::code_table! {
    PARENT_NOT_FOLDER = "parent_not_folder", 409, "The parent is a file, not a folder.";
    PARENT_TRASHED    = "parent_trashed",    409, "The parent folder is in the trash.";
    QUOTA_EXCEEDED    = "quota_exceeded",    413, "The workspace's storage quota is used up.";
}
