DROP INDEX files_by_name;
DROP FUNCTION name_pieces(BIGINT, TEXT);
