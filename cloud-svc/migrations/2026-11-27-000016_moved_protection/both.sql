-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- The protected places of a file up to one of its versions. Later versions moved them, together with their cells; restoring an
-- earlier version moves them back.
CREATE TABLE moved_protection (
    file_id BIGINT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    version_id BIGINT NOT NULL,
    -- As JSON.
    places TEXT NOT NULL,
    PRIMARY KEY (file_id, version_id)
);
