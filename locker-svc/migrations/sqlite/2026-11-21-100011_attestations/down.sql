DROP TABLE attestations;
DROP TABLE attestors;
