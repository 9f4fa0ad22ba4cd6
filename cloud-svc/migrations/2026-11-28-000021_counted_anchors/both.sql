-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- What the anchor takes of the workspace's storage. Earlier releases count nothing, and may still insert rows while this one
-- starts. So it is kept per row: deleting a row gives back what was taken for it.
ALTER TABLE moved_anchors ADD COLUMN counted_bytes BIGINT NOT NULL DEFAULT 0;
UPDATE moved_anchors SET counted_bytes = octet_length(anchor);
UPDATE workspaces SET storage_used_bytes = storage_used_bytes + moved.bytes
    FROM (SELECT files.workspace_id AS workspace_id, sum(moved_anchors.counted_bytes) AS bytes FROM moved_anchors
          JOIN comments ON comments.id = moved_anchors.comment_id JOIN files ON files.id = comments.file_id
          GROUP BY files.workspace_id) AS moved
    WHERE moved.workspace_id = workspaces.id;
