-- Search in names: every three and every five consecutive characters of a name. The service writes them with the name, each as
-- one word: the number of the workspace, s (short) or l (long), and the bytes in hexadecimal. The number keeps a search within
-- its workspace.
CREATE VIRTUAL TABLE file_names USING fts5 (
    pieces, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER file_is_gone AFTER DELETE ON files BEGIN
    DELETE FROM file_names WHERE rowid = old.id;
END;
