-- As a witness (trust-svc witness): the latest checkpoint of each log that it has cosigned. Times are microseconds since the
-- Unix epoch.
CREATE TABLE witnessed_checkpoints (
    origin     TEXT   NOT NULL PRIMARY KEY CHECK (octet_length(origin) BETWEEN 1 AND 255),
    size       BIGINT NOT NULL CHECK (size >= 0),
    root       BYTEA  NOT NULL CHECK (length(root) = 32),
    checkpoint TEXT   NOT NULL,
    at         BIGINT NOT NULL
);

-- As a log: the checkpoints that witnesses are asked to cosign, as notes that the log has signed, and their cosignatures,
-- each as the line of a note. Rows are never changed.
CREATE TABLE submitted_checkpoints (
    tree_size BIGINT NOT NULL PRIMARY KEY CHECK (tree_size >= 0),
    note      TEXT   NOT NULL,
    at        BIGINT NOT NULL
);
CREATE TABLE cosignatures (
    tree_size      BIGINT NOT NULL REFERENCES submitted_checkpoints (tree_size),
    witness_key_id BIGINT NOT NULL CHECK (witness_key_id BETWEEN 0 AND 4294967295),
    line           TEXT   NOT NULL,
    at             BIGINT NOT NULL,
    PRIMARY KEY (tree_size, witness_key_id)
);
CREATE INDEX cosignatures_by_witness ON cosignatures (witness_key_id, tree_size);
CREATE TRIGGER submitted_checkpoints_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON submitted_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER cosignatures_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON cosignatures
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
