-- The webhook that a change is about.
ALTER TABLE changes ADD COLUMN webhook_id TEXT;
-- For the sweep.
CREATE INDEX changes_by_time ON changes (at);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL,
    workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
    grant_id TEXT NOT NULL,
    url TEXT NOT NULL,
    -- The events that are wanted, as a JSON array.
    events TEXT NOT NULL,
    description TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'disabled', 'revoked')),
    -- Failed attempts since the last success, the first of them, and what was wrong with the last.
    failures INTEGER NOT NULL CHECK (failures >= 0),
    failing_since INTEGER,
    last_error TEXT NOT NULL,
    -- What signs, encrypted; the secret before it signs as well until its end.
    secret TEXT NOT NULL,
    old_secret TEXT,
    old_secret_until INTEGER CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
    -- What the endpoint must answer before anything else is sent.
    challenge TEXT CHECK ((challenge IS NOT NULL) = (state = 'pending')),
    -- The last change of the workspace that deliveries were made of.
    place INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER CHECK ((revoked_at IS NOT NULL) = (state = 'revoked'))
) STRICT;
CREATE INDEX webhooks_of_grant ON webhooks (workspace_id, grant_id, created_at);
CREATE INDEX webhooks_active ON webhooks (workspace_id, place) WHERE state = 'active';
CREATE INDEX webhooks_revoked ON webhooks (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    -- The `webhook-id` of all its attempts.
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    -- The change that it tells of; null for a challenge or a ping.
    sequence INTEGER,
    -- What is sent, as JSON.
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled')),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    last_error TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- When the next attempt is due; while one is made, when that counts as lost.
    due_at INTEGER CHECK ((due_at IS NOT NULL) = (state = 'pending')),
    finished_at INTEGER CHECK ((finished_at IS NULL) = (state = 'pending')),
    UNIQUE (webhook_id, event_id)
) STRICT;
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, webhook_id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_due_of_webhook ON webhook_deliveries (webhook_id, due_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_over ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
