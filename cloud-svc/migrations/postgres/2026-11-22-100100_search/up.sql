-- The number of the workspace's change that created a file: the order of ids within a workspace, without gaps.
ALTER TABLE files ADD COLUMN first_change BIGINT NOT NULL DEFAULT 0;

-- Every three and every five characters in a row of a name, hashed with the workspace and with the bucket of 65536 changes
-- that the file is of: what a search looks for, bucket by bucket from the newest on, so that it need not read all files that
-- have a frequent word in their names. An index of our own words needs no extension, tells workspaces apart, and knows all
-- characters whatever the locale of the database.
CREATE FUNCTION name_pieces(workspace BIGINT, bucket BIGINT, name TEXT) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
        SELECT coalesce(array_agg(hashtextextended(substr(name, at, size), workspace # (bucket << 50))), '{}')
        FROM unnest('{3, 5}'::INTEGER[]) AS size, generate_series(1, length(name) - size + 1) AS at
    );

-- What is not merged yet is searched row by row: a short list is cheap.
CREATE INDEX files_by_name ON files USING gin (name_pieces(workspace_id, first_change / 65536, name_key))
    WITH (gin_pending_list_limit = 256);
