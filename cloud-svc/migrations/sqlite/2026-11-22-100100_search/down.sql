DROP TRIGGER file_is_gone;
DROP TRIGGER file_is_renamed;
DROP TRIGGER file_is_named;
DROP TABLE file_names;
