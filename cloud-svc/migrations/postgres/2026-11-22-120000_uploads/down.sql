DROP INDEX versions_of_manifest;
ALTER TABLE versions DROP COLUMN manifest_id;
DROP TABLE uploads;
DROP TABLE manifest_chunks;
DROP TABLE manifests;
