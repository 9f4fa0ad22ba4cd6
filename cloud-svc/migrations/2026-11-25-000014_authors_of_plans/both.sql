-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Who wrote which part of `content`, as `versions.authorship`. Null without content, and in plans from before.
ALTER TABLE edit_plans ADD COLUMN authorship TEXT;
