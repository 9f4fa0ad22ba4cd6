-- What `import` has brought in, so that the same again adds nothing.
CREATE TABLE imports (
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    -- The folder that was imported into; 0: the top.
    target_id BIGINT NOT NULL,
    -- SHA-256 of the path within what was imported: a path may be longer than an index takes.
    path_sha256 TEXT NOT NULL CHECK (length(path_sha256) = 64),
    -- SHA-256 of the source; null: it is a folder.
    source_sha256 TEXT CHECK (length(source_sha256) = 64),
    -- What came of it, which may be gone by now.
    file_id BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, target_id, path_sha256)
);
