-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- A purged folder waits until the purged files inside are deleted.
CREATE INDEX files_purged_inside ON files (parent_id) WHERE purged_at IS NOT NULL;

-- An agent that trashes, moves or renames a folder must not take protected files along. Few files are protected.
CREATE INDEX files_protected ON files (workspace_id) WHERE protection IS NOT NULL;
