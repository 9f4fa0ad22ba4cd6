-- What was asked of the locker and takes a while. It ends in one of four ways, and then never changes again.
CREATE TABLE operations (
    id           TEXT    NOT NULL PRIMARY KEY,
    kind         TEXT    NOT NULL CHECK (kind IN ('model_test')),
    owner        TEXT    NOT NULL,
    room_id      TEXT    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('queued', 'checkout_queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
    image_digest TEXT    NOT NULL,
    order_id     TEXT,
    result       TEXT,
    queued_at    INTEGER NOT NULL,
    started_at   INTEGER,
    finished_at  INTEGER,
    FOREIGN KEY (room_id, owner) REFERENCES rooms (id, owner),
    CHECK ((finished_at IS NULL) = (status IN ('queued', 'checkout_queued', 'running'))),
    CHECK (started_at IS NOT NULL OR status <> 'running'),
    CHECK (started_at IS NULL OR status NOT IN ('queued', 'checkout_queued')),
    CHECK ((result IS NOT NULL) = (status IN ('succeeded', 'failed')))
) STRICT;
-- A room has one test at a time.
CREATE UNIQUE INDEX operations_active ON operations (room_id, kind) WHERE finished_at IS NULL;
