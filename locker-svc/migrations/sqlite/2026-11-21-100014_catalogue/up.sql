-- Whose catalogue is followed, if anyone's: one row at most, shared by all replicas.
CREATE TABLE catalogue_upstream (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    url TEXT NOT NULL CHECK (url <> ''),
    followed_at INTEGER NOT NULL,
    -- The last good answer: when it was asked for, the catalogue's version, and what the upstream said of it.
    checked_at INTEGER,
    version TEXT CHECK (length(version) = 64),
    etag TEXT,
    modified_at INTEGER,
    -- The last attempt, and why it came to nothing, unless it is the good one.
    tried_at INTEGER,
    trouble TEXT CHECK (trouble IN ('unreachable', 'timed_out', 'garbled', 'redirected', 'wrong_status', 'wrong_media_type', 'too_large', 'invalid', 'older')),
    detail TEXT,
    CHECK ((version IS NULL) = (checked_at IS NULL)),
    CHECK ((trouble IS NULL) = (detail IS NULL))
) STRICT;
