-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Signed receipts of decisions about plans: one chain for each workspace. Rows are inserted, never updated, and stay when the file
-- or the plan is deleted.
CREATE TABLE receipts (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    -- The place in the chain, without gaps.
    sequence BIGINT NOT NULL CHECK (sequence > 0),
    -- The file and the plan, which may have been deleted since.
    file_id BIGINT NOT NULL,
    plan_id TEXT NOT NULL,
    -- Canonical JSON, exactly as it is signed.
    statement TEXT NOT NULL,
    -- SHA-256 of the statement. The next receipt names it.
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    -- Base64.
    signature TEXT NOT NULL,
    PRIMARY KEY (workspace_id, sequence)
);
CREATE INDEX receipts_of_file ON receipts (file_id, plan_id, sequence);

-- Public keys that sign receipts, or once did.
CREATE TABLE receipt_keys (
    key_id TEXT PRIMARY KEY NOT NULL,
    public_key BYTEA NOT NULL CHECK (octet_length(public_key) = 32),
    first_used_at BIGINT NOT NULL
);
