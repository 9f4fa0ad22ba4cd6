-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- A plan that a reviewer has sent back is `returned`. SQLite cannot change a check, so the table is made again.
CREATE TABLE edit_plans_now (
    id TEXT PRIMARY KEY NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    file_id BIGINT NOT NULL REFERENCES files (id),
    -- Who wrote the edits, as JSON. A rebase keeps the author.
    actor TEXT NOT NULL,
    -- The type and id of the author, to compare. The name of an actor may change.
    author_key TEXT NOT NULL,
    -- The owner of the author's grant.
    author_subject TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('proposed', 'in_review', 'approved', 'returned', 'rejected', 'discarded', 'applied')
    ),
    -- The version and revision of the file that it edits.
    base_version_id BIGINT NOT NULL,
    base_meta_revision BIGINT NOT NULL,
    -- SHA-256 of the edited content; equal to base_sha256 when the plan changes nothing.
    proposal_sha256 TEXT NOT NULL CHECK (length(proposal_sha256) = 64),
    base_sha256 TEXT NOT NULL CHECK (length(base_sha256) = 64),
    -- Side effects as JSON: ids of removed parts, domains that it links to, warnings for readers.
    effects TEXT NOT NULL,
    -- The review, as JSON; null until somebody requests one.
    review TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    applied_version_id BIGINT,
    -- When an agent's client said that a person agrees.
    confirmed_at BIGINT,
    -- Summary, changes and warnings, as the members of a JSON object.
    preview TEXT NOT NULL,
    -- The requested operations, as a JSON array.
    operations TEXT NOT NULL,
    -- SHA-256 of the operations as they were sent, before new parts got ids.
    sent_sha256 TEXT NOT NULL CHECK (length(sent_sha256) = 64),
    -- The plan that it was rebased from, and who did that, as JSON, unless it was the author.
    rebased_from TEXT,
    rebased_by TEXT,
    -- Whether its approval is the one of the plan that it was rebased from.
    is_approval_carried BOOLEAN NOT NULL,
    -- The edited content; null when the plan can no longer be applied.
    content TEXT,
    -- The plan of which it is a part, an amendment or the next revision.
    derived_from TEXT,
    -- How it was derived, the authors of amendments, and the number of the revision, as JSON.
    lineage TEXT NOT NULL
);
INSERT INTO edit_plans_now
    SELECT *, NULL, '{"how":null,"by":null,"changes":[],"co_authors":[],"revision":1}' FROM edit_plans;
DROP TABLE edit_plans;
ALTER TABLE edit_plans_now RENAME TO edit_plans;
CREATE INDEX edit_plans_of_file ON edit_plans (file_id, created_at, id);
-- By the end, which skips the many expired plans that are still kept.
CREATE INDEX edit_plans_open ON edit_plans (workspace_id, state, expires_at);
-- To find a plan that is proposed again.
CREATE INDEX edit_plans_same ON edit_plans (file_id, sent_sha256);
CREATE INDEX edit_plans_by_end ON edit_plans (expires_at);
CREATE INDEX edit_plans_with_content ON edit_plans (expires_at) WHERE content IS NOT NULL;
-- To find the parts of a plan.
CREATE INDEX edit_plans_derived ON edit_plans (derived_from) WHERE derived_from IS NOT NULL;
