DROP TABLE webhook_deliveries;
DROP TABLE webhooks;
DROP INDEX changes_by_time;
ALTER TABLE changes DROP COLUMN webhook_id;
