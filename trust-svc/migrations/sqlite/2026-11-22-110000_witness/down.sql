DROP TABLE cosignatures;
DROP TABLE submitted_checkpoints;
DROP TABLE witnessed_checkpoints;
