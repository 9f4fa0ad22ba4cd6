-- Drafts of a grant. Their content counts as storage of the workspace until it is promoted or gone.
CREATE TABLE drafts (
    id TEXT PRIMARY KEY NOT NULL,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    grant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('document', 'spreadsheet', 'presentation', 'note', 'publication')),
    state TEXT NOT NULL CHECK (state IN ('draft', 'promoted')),
    -- The file that it became, or became a version of; it may be gone by now.
    file_id INTEGER CHECK ((file_id IS NULL) = (state = 'draft')),
    content TEXT NOT NULL,
    content_bytes INTEGER NOT NULL CHECK (content_bytes >= 0),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_of_grant ON drafts (workspace_id, grant_id, created_at);
CREATE INDEX drafts_by_end ON drafts (expires_at);
