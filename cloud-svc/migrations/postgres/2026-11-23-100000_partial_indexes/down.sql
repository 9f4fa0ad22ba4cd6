DROP INDEX webhook_deliveries_due_of_webhook;
CREATE INDEX webhook_deliveries_due_of_webhook ON webhook_deliveries (webhook_id, due_at) WHERE state = 'pending';
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, webhook_id) WHERE state = 'pending';

DROP INDEX webhooks_in_state;
CREATE INDEX webhooks_active ON webhooks (workspace_id, place) WHERE state = 'active';

DROP INDEX uploads_in_state;
CREATE INDEX pending_uploads ON uploads (workspace_id, expires_at) WHERE state = 'pending';

DROP INDEX files_to_purge;
CREATE INDEX files_to_purge ON files (trashed_at) WHERE state = 'trashed';
DROP INDEX files_in_trash;
CREATE INDEX files_in_trash ON files (workspace_id, id) WHERE state = 'trashed';
