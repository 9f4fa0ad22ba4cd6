-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Agents that a comment calls.
CREATE TABLE mentions (
    comment_id BIGINT NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    -- The type and id of the agent, as in `agents`.
    author_key TEXT NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    PRIMARY KEY (comment_id, author_key)
);
CREATE INDEX mentions_of_agent ON mentions (workspace_id, author_key, comment_id);

-- The comment that a plan answers, which may have been deleted since.
ALTER TABLE edit_plans ADD COLUMN answers_comment_id BIGINT;
CREATE INDEX edit_plans_answers ON edit_plans (answers_comment_id) WHERE answers_comment_id IS NOT NULL;
