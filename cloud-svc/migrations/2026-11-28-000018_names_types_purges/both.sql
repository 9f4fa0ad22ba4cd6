-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Whether a folder, or the top, has a file with a name. The top may have a million files. A query must say that `trashed_at` is
-- null: its state is a parameter, and a planner does not choose a partial index by a parameter. A key of a name has at most 2090
-- bytes, and an entry of a PostgreSQL index 2704.
CREATE INDEX files_by_key ON files (workspace_id, parent_id, name_key) WHERE trashed_at IS NULL;

-- Lists of one type. A page of them looked at all files of a workspace that has few of the type.
CREATE INDEX files_of_type ON files (workspace_id, type, id);

-- With the workspace: SQLite looked for its purged files among all of its files.
DROP INDEX files_purged;
CREATE INDEX files_purged ON files (workspace_id, id) WHERE purged_at IS NOT NULL;
