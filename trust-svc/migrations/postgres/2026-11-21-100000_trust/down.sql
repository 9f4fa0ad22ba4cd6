DROP TABLE markets;
DROP TABLE events;
DROP TABLE log_entries;
DROP FUNCTION log_is_append_only;
DROP TABLE log_head;
DROP TABLE signers;
