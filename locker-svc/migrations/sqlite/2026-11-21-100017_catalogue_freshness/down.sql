ALTER TABLE catalogue_upstream DROP COLUMN fresh_since;
