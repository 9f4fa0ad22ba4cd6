DROP TABLE events;
DROP TABLE subtree_roots;
DROP TABLE log_entries;
DROP TABLE log_head;
DROP TABLE signers;
