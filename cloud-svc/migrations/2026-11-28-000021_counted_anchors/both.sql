-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- What is kept of where comments were before they moved was not counted before.
UPDATE workspaces SET storage_used_bytes = storage_used_bytes
    + coalesce((SELECT sum(octet_length(moved_anchors.anchor)) FROM moved_anchors
                JOIN comments ON comments.id = moved_anchors.comment_id JOIN files ON files.id = comments.file_id
                WHERE files.workspace_id = workspaces.id), 0);
