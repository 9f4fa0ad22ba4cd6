-- Who may publish. Times are microseconds since the Unix epoch.
CREATE TABLE signers (
    key_id              TEXT    NOT NULL PRIMARY KEY CHECK (length(key_id) BETWEEN 1 AND 100),
    public_key          BYTEA   NOT NULL CHECK (length(public_key) = 32),
    kinds               TEXT    NOT NULL,
    market_prefixes     TEXT    NOT NULL,
    origins             TEXT    NOT NULL,
    allow_absent_origin BOOLEAN NOT NULL,
    active_from         BIGINT  NOT NULL,
    retires_at          BIGINT,
    revoked_at          BIGINT,
    created_at          BIGINT  NOT NULL
);

-- Where the log stands: the one row that changes. Its size is the index of the next entry; the frontier is the roots of the
-- largest complete subtrees, 32 bytes each. The public key is that of the first start; another key signs nothing here.
CREATE TABLE log_head (
    id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    size       BIGINT  NOT NULL CHECK (size >= 0),
    root       BYTEA   NOT NULL CHECK (length(root) = 32),
    frontier   BYTEA   NOT NULL CHECK (length(frontier) % 32 = 0),
    public_key BYTEA   CHECK (length(public_key) = 32)
);
INSERT INTO log_head (id, size, root, frontier) VALUES (1, 0, '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '');

-- The log: each leaf is the canonical JSON (RFC 8785) of an accepted request body, or of a change of a signer. Only ever
-- appended to, as the next two tables are.
CREATE TABLE log_entries (
    log_index BIGINT  NOT NULL PRIMARY KEY CHECK (log_index >= 0),
    leaf      BYTEA   NOT NULL CHECK (length(leaf) <= 65535),
    leaf_hash BYTEA   NOT NULL CHECK (length(leaf_hash) = 32)
);

-- The roots of the complete subtrees of 256^level leaves (C2SP tlog-tiles): with the hashes of leaves all that tiles and
-- proofs are made of.
CREATE TABLE subtree_roots (
    level      INTEGER NOT NULL CHECK (level BETWEEN 1 AND 7),
    node_index BIGINT  NOT NULL CHECK (node_index >= 0),
    hash       BYTEA   NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, node_index)
);

-- What the log says, by hash, id, and place in its market: the latest event of a market says where it stands. tree_size is
-- that of the checkpoint in the publisher's receipt.
CREATE TABLE events (
    event_hash    TEXT    NOT NULL PRIMARY KEY CHECK (length(event_hash) = 71),
    event_id      TEXT    NOT NULL UNIQUE CHECK (length(event_id) = 36),
    market_id     TEXT    NOT NULL CHECK (length(market_id) = 36),
    revision      BIGINT  NOT NULL CHECK (revision >= 1),
    state         TEXT    NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    signer_key_id TEXT    NOT NULL REFERENCES signers (key_id),
    log_index     BIGINT  NOT NULL UNIQUE REFERENCES log_entries (log_index),
    tree_size     BIGINT  NOT NULL CHECK (tree_size > log_index),
    published_at  BIGINT  NOT NULL,
    UNIQUE (market_id, revision)
);

CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END;
$$;
CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER subtree_roots_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON subtree_roots
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
