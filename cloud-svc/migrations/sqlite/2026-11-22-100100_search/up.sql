-- The number of the workspace's change that created a file: the order of ids within a workspace, without gaps.
ALTER TABLE files ADD COLUMN first_change INTEGER NOT NULL DEFAULT 0;

-- Every three and every five characters in a row of a name: what a search looks for. A piece is written as a word, the number
-- of the workspace, s (short) or l (long) and its bytes in hexadecimal, so that a search meets only names of its own
-- workspace. The service writes the pieces beside the name.
CREATE VIRTUAL TABLE file_names USING fts5 (
    pieces, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER file_is_gone AFTER DELETE ON files BEGIN
    DELETE FROM file_names WHERE rowid = old.id;
END;

-- Those that are there already.
INSERT INTO file_names (rowid, pieces)
WITH RECURSIVE places (id, place) AS (
    SELECT id, 1 FROM files UNION ALL
    SELECT places.id, place + 1 FROM places JOIN files USING (id) WHERE place < length(name_key)
)
SELECT id, group_concat(
    CASE WHEN place + 2 <= length(name_key) THEN workspace_id || 's' || hex(substr(name_key, place, 3)) ELSE '' END || ' ' ||
    CASE WHEN place + 4 <= length(name_key) THEN workspace_id || 'l' || hex(substr(name_key, place, 5)) ELSE '' END, ' '
)
FROM places JOIN files USING (id) GROUP BY id;
