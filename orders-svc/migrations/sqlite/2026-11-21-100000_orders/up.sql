CREATE TABLE orders (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL CHECK (owner <> ''),
    number TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('draft', 'placed', 'awaiting_payment', 'paid', 'provisioning', 'completed',
                                         'cancelled', 'expired', 'failed', 'refunded')),
    version INTEGER NOT NULL CHECK (version >= 1),
    currency TEXT NOT NULL CHECK (currency = 'GBP'),
    subtotal_minor INTEGER NOT NULL CHECK (subtotal_minor >= 0),
    discount_minor INTEGER NOT NULL CHECK (discount_minor BETWEEN 0 AND subtotal_minor),
    tax_minor INTEGER NOT NULL CHECK (tax_minor >= 0),
    total_minor INTEGER NOT NULL CHECK (total_minor = subtotal_minor - discount_minor + tax_minor),
    paid_minor INTEGER NOT NULL CHECK (paid_minor BETWEEN 0 AND total_minor),
    refunded_minor INTEGER NOT NULL CHECK (refunded_minor BETWEEN 0 AND paid_minor),
    -- Nobody owes anything for an order that will not be carried out; a refund is no new debt.
    due_minor INTEGER NOT NULL CHECK (due_minor = CASE
        WHEN state IN ('cancelled', 'expired', 'failed', 'refunded') THEN 0
        ELSE total_minor - paid_minor END),
    -- JSON, read and written whole with its order.
    lines TEXT NOT NULL,
    payment TEXT NOT NULL,
    timeline TEXT NOT NULL,
    subscription_id TEXT,
    room_id TEXT,
    placed_at INTEGER,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    cancelled_at INTEGER,
    CHECK ((placed_at IS NULL) = (state = 'draft')),
    CHECK (placed_at IS NULL OR updated_at >= placed_at),
    CHECK (CASE WHEN state = 'completed' THEN completed_at IS NOT NULL
                ELSE completed_at IS NULL OR state = 'refunded' END),
    CHECK (CASE WHEN state = 'cancelled' THEN cancelled_at IS NOT NULL
                ELSE cancelled_at IS NULL OR state = 'refunded' END)
) STRICT;

-- Whether orders can be read and taken at all: one row, set by the operator.
CREATE TABLE ordering (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    changed_at INTEGER NOT NULL
) STRICT;
INSERT INTO ordering (id, is_open, changed_at) VALUES (1, TRUE, 0);
