-- Written for PostgreSQL; `for_sqlite` in shared-runtime/src/state/db/schema/migration.rs translates it for SQLite.

-- The open plans of a workspace, newest first. The planner used to sort all of them to show a page. Queries repeat the condition:
-- a planner does not choose a partial index by parameters. The end, which stands last, skips expired plans without their rows.
CREATE INDEX edit_plans_in_order ON edit_plans (workspace_id, created_at, id, expires_at)
    WHERE state IN ('proposed', 'in_review', 'approved', 'returned');

-- To count the open plans of an agent.
CREATE INDEX edit_plans_of_author ON edit_plans (workspace_id, author_key, expires_at);

-- The receipts of a plan.
CREATE INDEX receipts_of_plan ON receipts (plan_id, sequence);

-- When all pending deliveries of the webhook were cancelled; null once their rows say so. There may be a million rows, so they
-- are written in batches.
ALTER TABLE webhooks ADD COLUMN deliveries_cancelled_at BIGINT;
CREATE INDEX webhooks_to_cancel ON webhooks (id) WHERE deliveries_cancelled_at IS NOT NULL;

-- Last, because it keeps readers out until the migration ends.
DROP INDEX edit_plans_open;
