-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

CREATE TABLE orders (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL CHECK (owner <> ''),
    number TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('draft', 'placed', 'awaiting_payment', 'paid', 'provisioning', 'completed',
                                         'cancelled', 'expired', 'failed', 'refunded')),
    version BIGINT NOT NULL CHECK (version >= 1),
    currency TEXT NOT NULL CHECK (currency = 'GBP'),
    subtotal_minor BIGINT NOT NULL CHECK (subtotal_minor >= 0),
    discount_minor BIGINT NOT NULL CHECK (discount_minor BETWEEN 0 AND subtotal_minor),
    tax_minor BIGINT NOT NULL CHECK (tax_minor >= 0),
    total_minor BIGINT NOT NULL CHECK (total_minor = subtotal_minor - discount_minor + tax_minor),
    paid_minor BIGINT NOT NULL CHECK (paid_minor BETWEEN 0 AND total_minor),
    refunded_minor BIGINT NOT NULL CHECK (refunded_minor BETWEEN 0 AND paid_minor),
    -- An order that will not be carried out leaves nothing to pay, and neither does a refund.
    due_minor BIGINT NOT NULL CHECK (due_minor = CASE
        WHEN state IN ('cancelled', 'expired', 'failed', 'refunded') THEN 0
        ELSE total_minor - paid_minor END),
    -- The next three are JSON, read and written whole.
    lines TEXT NOT NULL,
    payment TEXT NOT NULL,
    timeline TEXT NOT NULL,
    subscription_id TEXT,
    room_id TEXT,
    placed_at BIGINT,
    updated_at BIGINT NOT NULL,
    completed_at BIGINT,
    cancelled_at BIGINT,
    CHECK ((placed_at IS NULL) = (state = 'draft')),
    CHECK (placed_at IS NULL OR updated_at >= placed_at),
    CHECK (CASE WHEN state = 'completed' THEN completed_at IS NOT NULL
                ELSE completed_at IS NULL OR state = 'refunded' END),
    CHECK (CASE WHEN state = 'cancelled' THEN cancelled_at IS NOT NULL
                ELSE cancelled_at IS NULL OR state = 'refunded' END)
);
-- An owner's orders, newest first. A draft has no placed_at, so no list shows it.
CREATE INDEX orders_by_owner ON orders (owner, placed_at, id);

-- Whether the service takes orders. The operator sets the one row.
CREATE TABLE ordering (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    is_open BOOLEAN NOT NULL,
    changed_at BIGINT NOT NULL
);
INSERT INTO ordering (id, is_open, changed_at) VALUES (1, TRUE, 0);
