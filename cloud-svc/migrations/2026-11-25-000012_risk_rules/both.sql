-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- What else the workspace wants to be warned about, as JSON. Null: nothing.
ALTER TABLE workspaces ADD COLUMN risk_rules TEXT;
