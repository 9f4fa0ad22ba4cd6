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

-- The one row that numbers the log's entries: its size is the index of the next one.
CREATE TABLE log_head (
    id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    size BIGINT  NOT NULL CHECK (size >= 0)
);
INSERT INTO log_head (id, size) VALUES (1, 0);

-- The log: each leaf is the canonical JSON (RFC 8785) of one accepted request body. Entries are never changed.
CREATE TABLE log_entries (
    log_index BIGINT NOT NULL PRIMARY KEY CHECK (log_index >= 0),
    leaf      BYTEA  NOT NULL
);
CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END;
$$;
CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();

-- What the log says, by hash, id, and place in its market.
CREATE TABLE events (
    event_hash    TEXT   NOT NULL PRIMARY KEY CHECK (length(event_hash) = 71),
    event_id      TEXT   NOT NULL UNIQUE CHECK (length(event_id) = 36),
    market_id     TEXT   NOT NULL CHECK (length(market_id) = 36),
    revision      BIGINT NOT NULL CHECK (revision >= 1),
    state         TEXT   NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    signer_key_id TEXT   NOT NULL REFERENCES signers (key_id),
    log_index     BIGINT NOT NULL UNIQUE REFERENCES log_entries (log_index),
    published_at  BIGINT NOT NULL,
    UNIQUE (market_id, revision)
);

-- Where each market stands after its latest event.
CREATE TABLE markets (
    market_id  TEXT   NOT NULL PRIMARY KEY CHECK (length(market_id) = 36),
    revision   BIGINT NOT NULL CHECK (revision >= 1),
    event_hash TEXT   NOT NULL REFERENCES events (event_hash),
    state      TEXT   NOT NULL CHECK (state IN ('listed', 'suspended', 'resolved', 'withdrawn')),
    updated_at BIGINT NOT NULL
);
