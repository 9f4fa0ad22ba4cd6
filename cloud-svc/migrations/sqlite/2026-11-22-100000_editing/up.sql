-- Whether what an agent proposes needs the approval of somebody else before it is applied.
ALTER TABLE workspaces ADD COLUMN agent_writes TEXT NOT NULL DEFAULT 'direct' CHECK (agent_writes IN ('direct', 'review'));
-- What is promised to uploads that have not ended.
ALTER TABLE workspaces ADD COLUMN storage_reserved_bytes INTEGER NOT NULL DEFAULT 0 CHECK (storage_reserved_bytes >= 0);

-- When it went to the trash.
ALTER TABLE files ADD COLUMN trashed_at INTEGER;
-- When it was purged: it is gone for everyone, and its row stays until all that was in the folder is deleted.
ALTER TABLE files ADD COLUMN purged_at INTEGER;
DROP INDEX files_of_folder;
CREATE INDEX files_of_folder ON files (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX folders_of_folder ON files (parent_id) WHERE type = 'folder' AND parent_id IS NOT NULL;
CREATE INDEX files_at_root ON files (workspace_id, id) WHERE parent_id IS NULL;
CREATE INDEX files_in_trash ON files (workspace_id, id) WHERE state = 'trashed';
CREATE INDEX files_to_purge ON files (trashed_at) WHERE state = 'trashed';
CREATE INDEX files_purged ON files (id) WHERE purged_at IS NOT NULL;

-- The way in which the version came.
ALTER TABLE versions ADD COLUMN via TEXT NOT NULL DEFAULT 'rest' CHECK (via IN ('rest', 'mcp', 'web', 'upload', 'import'));
-- The plan whose result it is.
ALTER TABLE versions ADD COLUMN plan_id TEXT;
-- The version whose content it has again.
ALTER TABLE versions ADD COLUMN restored_from INTEGER;
-- What readers should know of its text, as JSON; null: nobody has looked yet.
ALTER TABLE versions ADD COLUMN content_warnings TEXT;

-- What happened in a workspace, in the order of its sequence, without gaps: a row in the transaction of each change. It is the
-- outbox as well: whoever has news to deliver follows the sequence.
CREATE TABLE changes (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The actor, as JSON.
    actor TEXT NOT NULL,
    -- The file, which may be gone by now.
    file_id INTEGER,
    version_id INTEGER,
    comment_id INTEGER,
    plan_id TEXT,
    PRIMARY KEY (workspace_id, sequence)
) STRICT;

CREATE TABLE edit_plans (
    id TEXT PRIMARY KEY NOT NULL,
    file_id INTEGER NOT NULL REFERENCES files (id),
    grant_id TEXT NOT NULL,
    -- Who proposed it, as JSON.
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'in_review', 'approved', 'rejected', 'discarded', 'applied')),
    -- The state of the file that it is for.
    base_version_id INTEGER NOT NULL,
    base_meta_revision INTEGER NOT NULL,
    -- SHA-256 of the content that it comes to; the same as that of its base where it changes nothing.
    proposal_sha256 TEXT NOT NULL CHECK (length(proposal_sha256) = 64),
    base_sha256 TEXT NOT NULL CHECK (length(base_sha256) = 64),
    -- What else comes with the content, as JSON: ids of parts that go, domains that it links to, warnings for its readers.
    effects TEXT NOT NULL,
    -- The review, as JSON; null while nobody has asked for one.
    review TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    applied_version_id INTEGER,
    -- Summary, changes and warnings, as the members of a JSON object.
    preview TEXT NOT NULL,
    -- What was asked, as a JSON array.
    operations TEXT NOT NULL,
    -- The content that it comes to; null when the plan can no longer be applied.
    content TEXT
) STRICT;
CREATE INDEX edit_plans_of_file ON edit_plans (file_id, created_at, id);
CREATE INDEX edit_plans_by_end ON edit_plans (expires_at);
CREATE INDEX edit_plans_with_content ON edit_plans (expires_at) WHERE content IS NOT NULL;

-- Ids that parts of a file had: none is given to another part.
CREATE TABLE gone_parts (
    file_id INTEGER NOT NULL REFERENCES files (id),
    part_id TEXT NOT NULL,
    PRIMARY KEY (file_id, part_id)
) STRICT;

-- Domains that the files of a workspace link to, or once did.
CREATE TABLE link_domains (
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    domain TEXT NOT NULL,
    PRIMARY KEY (workspace_id, domain)
) STRICT;

CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id INTEGER NOT NULL REFERENCES files (id),
    text TEXT NOT NULL,
    -- What it is about, as JSON.
    anchor TEXT NOT NULL,
    -- Who wrote it, as JSON.
    actor TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'resolved')),
    -- Counts its changes.
    revision INTEGER NOT NULL CHECK (revision > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    resolved_at INTEGER,
    CHECK ((status = 'resolved') = (resolved_at IS NOT NULL))
) STRICT;
CREATE INDEX comments_of_file ON comments (file_id, id);
