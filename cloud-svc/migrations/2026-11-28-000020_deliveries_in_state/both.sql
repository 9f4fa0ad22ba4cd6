-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- The deliveries of a webhook in one state. A list of few of them looked at all of its deliveries. Queries repeat the conditions:
-- a planner does not choose a partial index by parameters. Most deliveries end as delivered, and have no entry here.
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_not_taken ON webhook_deliveries (webhook_id, state, id)
    WHERE state IN ('failed', 'cancelled');
