-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- The person who revoked the grant, as JSON; null if nobody did, or the operator.
ALTER TABLE agents ADD COLUMN revoked_by TEXT;
