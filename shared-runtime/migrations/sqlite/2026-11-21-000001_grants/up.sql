-- Grants of access, recorded when they are first seen.
CREATE TABLE grants (
    grant_id      TEXT    NOT NULL PRIMARY KEY,
    subject       TEXT    NOT NULL,
    workspace_id  INTEGER,
    first_seen_at INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL
) STRICT;

-- Grants that the operator has revoked, seen or not. Numbers rise by one, so that a process can ask for what is new to it.
CREATE TABLE revocations (
    number        INTEGER NOT NULL PRIMARY KEY,
    grant_id      TEXT    NOT NULL UNIQUE,
    revoked_at    INTEGER NOT NULL,
    CHECK (number > 0)
) STRICT;
