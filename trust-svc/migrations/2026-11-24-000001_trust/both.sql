-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Who may publish.
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

-- The state of the log, in the one row that changes. `size` is the index of the next entry. `frontier` holds the roots of the
-- largest complete subtrees, 32 bytes each. `public_key` is the key of the log or witness since the first start;
-- another is refused.
CREATE TABLE log_head (
    id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    size       BIGINT  NOT NULL CHECK (size >= 0),
    root       BYTEA   NOT NULL CHECK (length(root) = 32),
    frontier   BYTEA   NOT NULL CHECK (length(frontier) % 32 = 0),
    public_key BYTEA   CHECK (length(public_key) = 32)
);
-- The root of an empty log is SHA-256 of nothing (RFC 6962).
INSERT INTO log_head (id, size, root, frontier) VALUES (1, 0, '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '\x');

-- The log. Each leaf is the canonical JSON (RFC 8785) of an accepted request body, or of a change of a signer. Rows of this
-- table and of the next two are never changed or deleted.
CREATE TABLE log_entries (
    log_index BIGINT  NOT NULL PRIMARY KEY CHECK (log_index >= 0),
    leaf      BYTEA   NOT NULL CHECK (length(leaf) <= 65535),
    leaf_hash BYTEA   NOT NULL CHECK (length(leaf_hash) = 32)
);

-- The roots of the complete subtrees of 256^level leaves (C2SP tlog-tiles). Tiles and proofs need only these and leaf hashes.
CREATE TABLE subtree_roots (
    level      INTEGER NOT NULL CHECK (level BETWEEN 1 AND 7),
    node_index BIGINT  NOT NULL CHECK (node_index >= 0),
    hash       BYTEA   NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (level, node_index)
);

-- Published events by hash, id and revision of their market. The latest event of a market gives its state. `tree_size` is that
-- of the checkpoint in the publisher's receipt.
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

-- The witness (`trust-svc witness`): the latest checkpoint of each log that it has cosigned.
CREATE TABLE witnessed_checkpoints (
    origin     TEXT    NOT NULL PRIMARY KEY CHECK (octet_length(origin) BETWEEN 1 AND 255),
    size       BIGINT  NOT NULL CHECK (size >= 0),
    root       BYTEA   NOT NULL CHECK (length(root) = 32),
    checkpoint TEXT    NOT NULL,
    at         BIGINT  NOT NULL
);

-- The log: the signed notes that it sends to witnesses, and the lines of their cosignatures. Rows are never changed.
CREATE TABLE submitted_checkpoints (
    tree_size BIGINT  NOT NULL PRIMARY KEY CHECK (tree_size >= 0),
    note      TEXT    NOT NULL,
    at        BIGINT  NOT NULL
);
CREATE TABLE cosignatures (
    tree_size      BIGINT  NOT NULL REFERENCES submitted_checkpoints (tree_size),
    witness_key_id BIGINT  NOT NULL CHECK (witness_key_id BETWEEN 0 AND 4294967295),
    line           TEXT    NOT NULL,
    at             BIGINT  NOT NULL,
    PRIMARY KEY (tree_size, witness_key_id)
);
CREATE INDEX cosignatures_by_witness ON cosignatures (witness_key_id, tree_size);
