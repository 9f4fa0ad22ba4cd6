DROP TABLE markets;
DROP TABLE events;
DROP TABLE log_entries;
DROP TABLE log_head;
DROP TABLE signers;
