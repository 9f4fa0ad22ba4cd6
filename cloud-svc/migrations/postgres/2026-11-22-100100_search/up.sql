-- Every three and every five characters in a row of a name, hashed with the workspace: what a search looks for. An index of
-- our own words needs no extension, tells workspaces apart, and knows all characters whatever the locale of the database.
CREATE FUNCTION name_pieces(workspace BIGINT, name TEXT) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
        SELECT coalesce(array_agg(hashtextextended(substr(name, at, size), workspace)), '{}')
        FROM unnest('{3, 5}'::INTEGER[]) AS size, generate_series(1, length(name) - size + 1) AS at
    );

-- What is not merged yet is searched row by row: a short list is cheap.
CREATE INDEX files_by_name ON files USING gin (name_pieces(workspace_id, name_key)) WITH (gin_pending_list_limit = 256);
