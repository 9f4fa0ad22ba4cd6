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

-- Where the log stands: the one row that changes. Its size is the index of the next entry; the frontier is the roots of the
-- largest complete subtrees, 32 bytes each. The public key is that of the first start; another key signs nothing here.
CREATE TABLE log_head (
    id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    size       INTEGER NOT NULL CHECK (size >= 0),
    root       BLOB    NOT NULL CHECK (length(root) = 32),
    frontier   BLOB    NOT NULL CHECK (length(frontier) % 32 = 0),
    public_key BLOB    CHECK (length(public_key) = 32)
) STRICT;
INSERT INTO log_head (id, size, root, frontier) VALUES (1, 0, X'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', X'');

-- The log: each leaf is the canonical JSON (RFC 8785) of an accepted request body, or of a change of a signer. Only ever
-- appended to, as the next two tables are.
CREATE TABLE log_entries (
    log_index INTEGER NOT NULL PRIMARY KEY CHECK (log_index >= 0),
    leaf      BLOB    NOT NULL CHECK (length(leaf) <= 65535),
    leaf_hash BLOB    NOT NULL CHECK (length(leaf_hash) = 32)
) STRICT;

-- The roots of the complete subtrees of 256^level leaves (C2SP tlog-tiles): with the hashes of leaves all that tiles and
-- proofs are made of.
CREATE TABLE subtree_roots (
    level      INTEGER NOT NULL CHECK (level BETWEEN 1 AND 7),
    node_index INTEGER NOT NULL CHECK (node_index >= 0),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, node_index)
) STRICT;

-- What the log says, by hash, id, and place in its market: the latest event of a market says where it stands. tree_size is
-- that of the checkpoint in the publisher's receipt.
CREATE TABLE events (
    event_hash    TEXT    NOT NULL PRIMARY KEY CHECK (length(event_hash) = 71),
    event_id      TEXT    NOT NULL UNIQUE CHECK (length(event_id) = 36),
    market_id     TEXT    NOT NULL CHECK (length(market_id) = 36),
    revision      INTEGER NOT NULL CHECK (revision >= 1),
    state         TEXT    NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    signer_key_id TEXT    NOT NULL REFERENCES signers (key_id),
    log_index     INTEGER NOT NULL UNIQUE REFERENCES log_entries (log_index),
    tree_size     INTEGER NOT NULL CHECK (tree_size > log_index),
    published_at  INTEGER NOT NULL,
    UNIQUE (market_id, revision)
) STRICT;

CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER log_entries_are_never_deleted BEFORE DELETE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER subtree_roots_are_never_changed BEFORE UPDATE ON subtree_roots
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER subtree_roots_are_never_deleted BEFORE DELETE ON subtree_roots
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
