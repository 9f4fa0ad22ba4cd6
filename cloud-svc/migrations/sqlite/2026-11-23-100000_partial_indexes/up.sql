-- A state that comes as a parameter does not choose an index for one state: what is there in that state alone does.
DROP INDEX files_in_trash;
CREATE INDEX files_in_trash ON files (workspace_id, id) WHERE trashed_at IS NOT NULL;
DROP INDEX files_to_purge;
CREATE INDEX files_to_purge ON files (trashed_at) WHERE trashed_at IS NOT NULL AND purged_at IS NULL;

DROP INDEX pending_uploads;
CREATE INDEX uploads_in_state ON uploads (state, expires_at);

DROP INDEX webhooks_active;
CREATE INDEX webhooks_in_state ON webhooks (state, workspace_id, place);

DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, webhook_id) WHERE due_at IS NOT NULL;
DROP INDEX webhook_deliveries_due_of_webhook;
CREATE INDEX webhook_deliveries_due_of_webhook ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
