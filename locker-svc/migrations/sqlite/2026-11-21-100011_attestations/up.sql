-- Whose word counts for an image. A revoked key stays, so that its id is never another key's.
CREATE TABLE attestors (
    key_id TEXT NOT NULL PRIMARY KEY CHECK (key_id <> ''),
    public_key BLOB NOT NULL CHECK (length(public_key) = 32),
    added_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

-- What they said, as they signed it: it is verified again each time it counts.
CREATE TABLE attestations (
    image_digest TEXT NOT NULL CHECK (length(image_digest) = 71),
    key_id TEXT NOT NULL REFERENCES attestors (key_id),
    envelope TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (image_digest, key_id)
) STRICT;
