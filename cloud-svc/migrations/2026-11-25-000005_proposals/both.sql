-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Plans for several files that are decided together.
CREATE TABLE proposals (
    id TEXT PRIMARY KEY NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    title TEXT NOT NULL,
    reason TEXT,
    -- Who put the plans together, as JSON.
    actor TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'in_review', 'approved', 'rejected', 'discarded', 'applied', 'undone')),
    -- SHA-256 over the files, bases and contents of its plans. An approval is of this.
    proposal_sha256 TEXT NOT NULL CHECK (length(proposal_sha256) = 64),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX proposals_open ON proposals (workspace_id, created_at, id);
CREATE INDEX proposals_by_end ON proposals (expires_at);

-- The proposal with which a plan is decided.
ALTER TABLE edit_plans ADD COLUMN proposal_id TEXT;
CREATE INDEX edit_plans_of_proposal ON edit_plans (proposal_id) WHERE proposal_id IS NOT NULL;
