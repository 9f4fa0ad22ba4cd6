-- As a witness (trust-svc witness): the latest checkpoint of each log that it has cosigned. Times are microseconds since the
-- Unix epoch.
CREATE TABLE witnessed_checkpoints (
    origin     TEXT    NOT NULL PRIMARY KEY CHECK (length(CAST(origin AS BLOB)) BETWEEN 1 AND 255),
    size       INTEGER NOT NULL CHECK (size >= 0),
    root       BLOB    NOT NULL CHECK (length(root) = 32),
    checkpoint TEXT    NOT NULL,
    at         INTEGER NOT NULL
) STRICT;

-- As a log: the checkpoints that witnesses are asked to cosign, as notes that the log has signed, and their cosignatures,
-- each as the line of a note. Rows are never changed.
CREATE TABLE submitted_checkpoints (
    tree_size INTEGER NOT NULL PRIMARY KEY CHECK (tree_size >= 0),
    note      TEXT    NOT NULL,
    at        INTEGER NOT NULL
) STRICT;
CREATE TABLE cosignatures (
    tree_size      INTEGER NOT NULL REFERENCES submitted_checkpoints (tree_size),
    witness_key_id INTEGER NOT NULL CHECK (witness_key_id BETWEEN 0 AND 4294967295),
    line           TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    PRIMARY KEY (tree_size, witness_key_id)
) STRICT;
CREATE INDEX cosignatures_by_witness ON cosignatures (witness_key_id, tree_size);
CREATE TRIGGER submitted_checkpoints_are_never_changed BEFORE UPDATE ON submitted_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER submitted_checkpoints_are_never_deleted BEFORE DELETE ON submitted_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER cosignatures_are_never_changed BEFORE UPDATE ON cosignatures
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER cosignatures_are_never_deleted BEFORE DELETE ON cosignatures
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
