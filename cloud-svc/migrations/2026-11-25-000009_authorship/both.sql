-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Who wrote which part: runs of numbers of versions, as JSON (`cloud-svc/content/src/authorship/runs.rs`). Null for first
-- versions, of which every part is their own, for uploads, and for versions that were written before this column was.
ALTER TABLE versions ADD COLUMN authorship TEXT;
-- Who wrote the edits of the plan that made the version, and who approved them, as JSON. Null without a plan.
ALTER TABLE versions ADD COLUMN edited_by TEXT;
