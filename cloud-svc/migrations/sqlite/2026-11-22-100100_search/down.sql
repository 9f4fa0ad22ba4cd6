DROP TRIGGER file_is_gone;
DROP TABLE file_names;
