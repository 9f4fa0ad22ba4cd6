DROP INDEX files_by_name;
DROP FUNCTION name_trigrams(BIGINT, TEXT);
