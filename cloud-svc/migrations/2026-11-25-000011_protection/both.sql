-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Parts that agents change only with the approval of a person: places, and who set them when, as JSON. Null: none.
ALTER TABLE files ADD COLUMN protection TEXT;
