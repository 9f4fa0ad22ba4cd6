-- Who may publish. Times are microseconds since the Unix epoch.
CREATE TABLE signers (
    key_id              TEXT    NOT NULL PRIMARY KEY CHECK (length(key_id) BETWEEN 1 AND 100),
    public_key          BLOB    NOT NULL CHECK (length(public_key) = 32),
    kinds               TEXT    NOT NULL,
    market_prefixes     TEXT    NOT NULL,
    origins             TEXT    NOT NULL,
    allow_absent_origin INTEGER NOT NULL CHECK (allow_absent_origin IN (0, 1)),
    active_from         INTEGER NOT NULL,
    retires_at          INTEGER,
    revoked_at          INTEGER,
    created_at          INTEGER NOT NULL
) STRICT;

-- The one row that numbers the log's entries: its size is the index of the next one.
CREATE TABLE log_head (
    id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 0)
) STRICT;
INSERT INTO log_head (id, size) VALUES (1, 0);

-- The log: each leaf is the canonical JSON (RFC 8785) of one accepted request body. Entries are never changed.
CREATE TABLE log_entries (
    log_index INTEGER NOT NULL PRIMARY KEY CHECK (log_index >= 0),
    leaf      BLOB    NOT NULL
) STRICT;
CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER log_entries_are_never_deleted BEFORE DELETE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

-- What the log says, by hash, id, and place in its market.
CREATE TABLE events (
    event_hash    TEXT    NOT NULL PRIMARY KEY CHECK (length(event_hash) = 71),
    event_id      TEXT    NOT NULL UNIQUE CHECK (length(event_id) = 36),
    market_id     TEXT    NOT NULL CHECK (length(market_id) = 36),
    revision      INTEGER NOT NULL CHECK (revision >= 1),
    state         TEXT    NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    signer_key_id TEXT    NOT NULL REFERENCES signers (key_id),
    log_index     INTEGER NOT NULL UNIQUE REFERENCES log_entries (log_index),
    published_at  INTEGER NOT NULL,
    UNIQUE (market_id, revision)
) STRICT;

-- Where each market stands after its latest event.
CREATE TABLE markets (
    market_id  TEXT    NOT NULL PRIMARY KEY CHECK (length(market_id) = 36),
    revision   INTEGER NOT NULL CHECK (revision >= 1),
    event_hash TEXT    NOT NULL REFERENCES events (event_hash),
    state      TEXT    NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    updated_at INTEGER NOT NULL
) STRICT;
