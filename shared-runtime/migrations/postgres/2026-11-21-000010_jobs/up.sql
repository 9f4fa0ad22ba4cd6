-- Work that is to be done outside of any request. Whoever holds the lease does it; each lease has an epoch of its own, and
-- nothing is written for a job but under its present epoch. Ids are never used twice.
CREATE TABLE jobs (
    id          BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
-- The way in which they are claimed.
CREATE INDEX jobs_due ON jobs (kind, run_at);
