-- Every three characters in a row of a name: what a search looks for. A text begins with three characters that no name has
-- and that are the number of the workspace in digits of base 131068, the characters of private use of the planes 15 and
-- 16: so a search meets only names of its own workspace.
CREATE VIRTUAL TABLE file_names USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER file_is_named AFTER INSERT ON files BEGIN
    INSERT INTO file_names (rowid, text) SELECT new.id, char(
        983040 + high + high / 65534 * 2, 983040 + middle + middle / 65534 * 2, 983040 + low + low / 65534 * 2
    ) || new.name_key FROM (
        SELECT new.workspace_id / 17178820624 AS high, new.workspace_id / 131068 % 131068 AS middle,
               new.workspace_id % 131068 AS low
    );
END;

CREATE TRIGGER file_is_renamed AFTER UPDATE OF name_key ON files BEGIN
    INSERT OR REPLACE INTO file_names (rowid, text) SELECT new.id, char(
        983040 + high + high / 65534 * 2, 983040 + middle + middle / 65534 * 2, 983040 + low + low / 65534 * 2
    ) || new.name_key FROM (
        SELECT new.workspace_id / 17178820624 AS high, new.workspace_id / 131068 % 131068 AS middle,
               new.workspace_id % 131068 AS low
    );
END;

CREATE TRIGGER file_is_gone AFTER DELETE ON files BEGIN
    DELETE FROM file_names WHERE rowid = old.id;
END;

-- Those that are there already.
UPDATE files SET name_key = name_key;
