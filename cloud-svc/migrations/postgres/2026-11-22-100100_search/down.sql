DROP INDEX files_by_name;
DROP FUNCTION name_pieces(BIGINT, BIGINT, TEXT);
ALTER TABLE files DROP COLUMN first_change;
