-- Content that is kept as chunks in the blob store: what was uploaded. Named after its upload, owned by it while that is pending
-- and by every version that refers to it.
CREATE TABLE manifests (
    id TEXT PRIMARY KEY NOT NULL,
    bytes BIGINT NOT NULL CHECK (bytes >= 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    -- What the first bytes look like, whatever was claimed.
    media_type TEXT NOT NULL,
    -- From when on its objects are looked through: nobody may own them by then, or a writer that died has left some.
    sweep_after BIGINT
);
CREATE INDEX manifests_to_sweep ON manifests (sweep_after) WHERE sweep_after IS NOT NULL;

CREATE TABLE manifest_chunks (
    manifest_id TEXT NOT NULL REFERENCES manifests (id),
    number BIGINT NOT NULL CHECK (number >= 0),
    blob_key TEXT NOT NULL,
    -- SHA-256 of all bytes up to the end of this chunk, before its end: what the next chunk goes on with.
    hash_state TEXT NOT NULL,
    PRIMARY KEY (manifest_id, number)
);

CREATE TABLE uploads (
    id TEXT PRIMARY KEY NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspaces (id),
    grant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size BIGINT NOT NULL CHECK (size >= 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    -- The folder that a new file goes to.
    parent_id BIGINT,
    -- The file that gets a version instead, and the state of it that the uploader had seen.
    target_id BIGINT CHECK (target_id IS NULL OR parent_id IS NULL),
    seen_version_id BIGINT,
    seen_meta_revision BIGINT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'completed', 'cancelled')),
    next_chunk_index BIGINT NOT NULL CHECK (next_chunk_index >= 0),
    received_bytes BIGINT NOT NULL CHECK (received_bytes >= 0 AND received_bytes <= size),
    file_id BIGINT CHECK ((file_id IS NOT NULL) = (state = 'completed')),
    version_id BIGINT CHECK ((version_id IS NOT NULL) = (state = 'completed')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CHECK ((target_id IS NULL) = (seen_version_id IS NULL) AND (target_id IS NULL) = (seen_meta_revision IS NULL)),
    CHECK (state <> 'completed' OR received_bytes = size)
);
CREATE INDEX uploads_by_end ON uploads (expires_at);
CREATE INDEX pending_uploads ON uploads (workspace_id, expires_at) WHERE state = 'pending';

-- The content of a version: canonical JSON text, or an uploaded manifest.
ALTER TABLE versions ADD COLUMN manifest_id TEXT REFERENCES manifests (id)
    CHECK ((manifest_id IS NULL) = (content <> ''));
CREATE INDEX versions_of_manifest ON versions (manifest_id) WHERE manifest_id IS NOT NULL;
