-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- What a plan takes of the workspace's storage: its content while it can be applied, and the texts that it shows.
ALTER TABLE edit_plans ADD COLUMN content_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE edit_plans ADD COLUMN text_bytes BIGINT NOT NULL DEFAULT 0;
UPDATE edit_plans SET
    content_bytes = coalesce(octet_length(content), 0),
    text_bytes = octet_length(operations) + octet_length(preview);

-- Plans and comments were not counted before.
UPDATE workspaces SET storage_used_bytes = storage_used_bytes
    + coalesce((SELECT sum(content_bytes + text_bytes) FROM edit_plans WHERE workspace_id = workspaces.id), 0)
    + coalesce((SELECT sum(octet_length(text)) FROM comments JOIN files ON files.id = comments.file_id
                WHERE files.workspace_id = workspaces.id), 0);
