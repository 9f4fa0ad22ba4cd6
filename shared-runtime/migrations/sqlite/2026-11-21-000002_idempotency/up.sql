-- The ledger of commands: one row for each key that a command was done under, in the transaction that did it.
-- The outcome is null only inside that transaction.
CREATE TABLE idempotency (
    scope       BLOB    NOT NULL PRIMARY KEY CHECK (length(scope) = 32),
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL CHECK (expires_at > created_at),
    status      INTEGER CHECK (status BETWEEN 200 AND 299),
    headers     TEXT,
    payload     TEXT,
    CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (payload IS NULL))
) STRICT;
CREATE INDEX idempotency_expires_at ON idempotency (expires_at);
