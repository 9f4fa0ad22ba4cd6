-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Whether agents of the workspace only read.
ALTER TABLE workspaces ADD COLUMN
    agents_read_only BOOLEAN NOT NULL DEFAULT FALSE;

-- Grants of agents that were seen, each with its limits.
CREATE TABLE agents (
    -- Follows from the workspace and the grant (`cloud-svc/src/base/owner.rs`), so that queries of files need no look-up.
    number BIGINT PRIMARY KEY NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    grant_id TEXT NOT NULL,
    -- The actor, as JSON.
    actor TEXT NOT NULL,
    author_key TEXT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    -- When it last ran a command; null until then.
    last_command_at BIGINT,
    may TEXT NOT NULL CHECK (may IN ('read', 'propose', 'apply')),
    -- Whether it sees only the files in `agent_folders` and below, and only those of `agent_types`.
    is_in_folders BOOLEAN NOT NULL,
    is_of_types BOOLEAN NOT NULL,
    -- How many bytes it may write in a day; null: as many as the quota.
    bytes_per_day BIGINT CHECK (bytes_per_day >= 0),
    -- What it wrote on a day, which is counted from the Unix epoch.
    bytes_day BIGINT NOT NULL,
    bytes_on_day BIGINT NOT NULL CHECK (bytes_on_day >= 0),
    -- The person who set the limits, as JSON, and when.
    limited_by TEXT,
    limited_at BIGINT CHECK ((limited_at IS NULL) = (limited_by IS NULL)),
    UNIQUE (workspace_id, grant_id)
);

CREATE TABLE agent_folders (
    agent BIGINT NOT NULL REFERENCES agents (number) ON DELETE CASCADE,
    -- The folder, which may have been deleted since.
    file_id BIGINT NOT NULL,
    PRIMARY KEY (agent, file_id)
);

CREATE TABLE agent_types (
    agent BIGINT NOT NULL REFERENCES agents (number) ON DELETE CASCADE,
    type TEXT NOT NULL,
    PRIMARY KEY (agent, type)
);
