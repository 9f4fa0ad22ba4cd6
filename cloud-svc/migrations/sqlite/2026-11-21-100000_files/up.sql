-- A workspace is recorded when a grant that selects it is seen for the first time.
CREATE TABLE workspaces (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id > 0),
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active')),
    storage_quota_bytes INTEGER NOT NULL CHECK (storage_quota_bytes >= 0),
    storage_used_bytes INTEGER NOT NULL CHECK (storage_used_bytes >= 0),
    -- Counts the changes of the workspace; every change takes the next number in its own transaction.
    change_sequence INTEGER NOT NULL CHECK (change_sequence >= 0),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    parent_id INTEGER REFERENCES files (id),
    name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 190),
    -- The name as it is searched: NFKC and case-folded.
    name_key TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('folder', 'document', 'spreadsheet', 'presentation', 'note', 'publication', 'pdf', 'uploaded_file')),
    state TEXT NOT NULL CHECK (state IN ('active', 'trashed')),
    -- The number of the current version among the file's versions; a folder has none.
    current_version INTEGER CHECK (current_version > 0),
    -- Counts what happened to the record itself: rename, move, trash, restore.
    meta_revision INTEGER NOT NULL CHECK (meta_revision > 0),
    -- The workspace's change sequence at the last change of this file.
    change_sequence INTEGER NOT NULL CHECK (change_sequence > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK ((type = 'folder') = (current_version IS NULL))
) STRICT;
CREATE INDEX files_of_workspace ON files (workspace_id, id);
CREATE INDEX files_of_folder ON files (parent_id) WHERE parent_id IS NOT NULL;

-- Versions are only ever inserted.
CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id INTEGER NOT NULL REFERENCES files (id),
    number INTEGER NOT NULL CHECK (number > 0),
    content_bytes INTEGER NOT NULL CHECK (content_bytes >= 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- Canonical JSON text; last, so that the rest of a row is read without it.
    content TEXT NOT NULL,
    UNIQUE (file_id, number)
) STRICT;
