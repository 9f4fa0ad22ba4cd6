-- Whose database this is: one row, written in the transaction that makes the table and compared at every start. The version is
-- lower than all others, so that a new database has an owner before it has anything else.
CREATE TABLE database_identity (
    number             BIGINT NOT NULL PRIMARY KEY CHECK (number = 1),
    surface            TEXT   NOT NULL CHECK (surface <> ''),
    secret_fingerprint BYTEA  NOT NULL CHECK (octet_length(secret_fingerprint) = 32)
);
