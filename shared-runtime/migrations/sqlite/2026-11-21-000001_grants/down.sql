DROP TABLE revocations;
DROP TABLE grants;
