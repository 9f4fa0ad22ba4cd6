-- Work that is to be done outside of any request. Whoever holds the lease does it; each lease has an epoch of its own, and
-- nothing is written for a job but under its present epoch. Ids are never used twice.
CREATE TABLE jobs (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT    NOT NULL CHECK (kind <> ''),
    key         TEXT    NOT NULL,
    payload     TEXT    NOT NULL,
    run_at      INTEGER NOT NULL,
    attempts    INTEGER NOT NULL CHECK (attempts >= 0),
    epoch       INTEGER NOT NULL CHECK (epoch >= 0),
    lease_until INTEGER,
    holder      TEXT,
    UNIQUE (kind, key),
    CHECK ((lease_until IS NULL) = (holder IS NULL)),
    CHECK (holder IS NULL OR attempts > 0)
) STRICT;
-- The way in which they are claimed.
CREATE INDEX jobs_due ON jobs (kind, run_at);
