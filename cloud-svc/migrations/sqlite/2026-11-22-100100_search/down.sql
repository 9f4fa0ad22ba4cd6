DROP TRIGGER file_is_gone;
DROP TABLE file_names;
ALTER TABLE files DROP COLUMN first_change;
