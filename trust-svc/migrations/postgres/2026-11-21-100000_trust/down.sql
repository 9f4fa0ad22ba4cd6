DROP TABLE events;
DROP TABLE subtree_roots;
DROP TABLE log_entries;
DROP FUNCTION log_is_append_only;
DROP TABLE log_head;
DROP TABLE signers;
