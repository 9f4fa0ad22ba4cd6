-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- Names the service that owns this database. `migrate` writes the one row in the transaction that makes the table; every start
-- compares it. Times in all tables are microseconds since the Unix epoch.
CREATE TABLE database_identity (
    number             BIGINT NOT NULL PRIMARY KEY CHECK (number = 1),
    surface            TEXT   NOT NULL CHECK (surface <> ''),
    secret_fingerprint BYTEA  NOT NULL CHECK (octet_length(secret_fingerprint) = 32)
);

-- Access grants, each recorded at its first request.
CREATE TABLE grants (
    grant_id      TEXT    NOT NULL PRIMARY KEY,
    subject       TEXT    NOT NULL,
    workspace_id  BIGINT,
    first_seen_at BIGINT  NOT NULL,
    expires_at    BIGINT  NOT NULL
);

-- Grants that the operator has revoked, recorded above or not. Numbers rise by one, so that a process loads only new rows.
CREATE TABLE revocations (
    number        BIGINT  NOT NULL PRIMARY KEY,
    grant_id      TEXT    NOT NULL UNIQUE,
    revoked_at    BIGINT  NOT NULL,
    CHECK (number > 0)
);

-- One row for each idempotency key, written in the transaction of its command. The outcome is null only inside that transaction.
CREATE TABLE idempotency (
    scope       BYTEA   NOT NULL PRIMARY KEY CHECK (octet_length(scope) = 32),
    fingerprint BYTEA   NOT NULL CHECK (octet_length(fingerprint) = 32),
    created_at  BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL CHECK (expires_at > created_at),
    status      INTEGER CHECK (status BETWEEN 200 AND 299),
    headers     TEXT,
    payload     TEXT,
    CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (payload IS NULL))
);
CREATE INDEX idempotency_expires_at ON idempotency (expires_at);

-- Background work. The holder of the lease does it. Each lease has its own epoch, and a write for a job fails under an older
-- epoch. Ids are never used twice.
CREATE TABLE jobs (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind <> ''),
    key         TEXT    NOT NULL,
    payload     TEXT    NOT NULL,
    run_at      BIGINT  NOT NULL,
    attempts    BIGINT  NOT NULL CHECK (attempts >= 0),
    epoch       BIGINT  NOT NULL CHECK (epoch >= 0),
    lease_until BIGINT,
    holder      TEXT,
    UNIQUE (kind, key),
    CHECK ((lease_until IS NULL) = (holder IS NULL)),
    CHECK (holder IS NULL OR attempts > 0)
);
-- Workers claim due jobs in this order.
CREATE INDEX jobs_due ON jobs (kind, run_at);
