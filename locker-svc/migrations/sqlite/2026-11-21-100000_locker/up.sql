-- The newest snapshot is the catalogue; older ones tell what was offered when.
CREATE TABLE catalogue_snapshots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    version TEXT NOT NULL CHECK (length(version) = 64),
    body TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rooms (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL CHECK (owner <> ''),
    UNIQUE (id, owner)
) STRICT;

CREATE TABLE subscriptions (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    room_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('incomplete', 'active', 'past_due', 'suspended', 'cancelled')),
    version INTEGER NOT NULL CHECK (version >= 1),
    sku TEXT NOT NULL CHECK (sku <> ''),
    currency TEXT NOT NULL CHECK (currency = 'GBP'),
    monthly_pence INTEGER NOT NULL CHECK (monthly_pence >= 0),
    setup_pence INTEGER NOT NULL CHECK (setup_pence >= 0),
    current_period_start INTEGER,
    current_period_end INTEGER,
    cancelled_at INTEGER,
    order_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL CHECK (updated_at >= created_at),
    FOREIGN KEY (room_id, owner) REFERENCES rooms (id, owner),
    CHECK ((current_period_start IS NULL) = (current_period_end IS NULL)),
    CHECK (current_period_start IS NULL OR current_period_end > current_period_start),
    CHECK ((cancelled_at IS NOT NULL) = (state = 'cancelled'))
) STRICT;

-- The one way in which subscriptions are listed.
CREATE INDEX subscriptions_of_owner ON subscriptions (owner, created_at DESC, id DESC);
