-- Search in names: the hash of every three and every five consecutive characters of a name, mixed with the workspace and with a
-- bucket of 65536 changes. A search reads the newest bucket first and stops early, even for a frequent word. An own index needs no
-- extension, separates workspaces, and supports all characters whatever the locale of the database.
CREATE FUNCTION name_pieces(workspace BIGINT, bucket BIGINT, name TEXT) RETURNS BIGINT[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
        SELECT coalesce(array_agg(hashtextextended(substr(name, at, size), workspace # (bucket << 50))), '{}')
        FROM unnest('{3, 5}'::INTEGER[]) AS size, generate_series(1, length(name) - size + 1) AS at
    );

-- Searches scan the pending list row by row, so it stays short.
CREATE INDEX files_by_name ON files USING gin (name_pieces(workspace_id, first_change / 65536, name_key))
    WITH (gin_pending_list_limit = 256);

-- Ids below `below` of the owner's files whose names match the pattern and have all pieces, newest first, at most `at_most`.
-- It first compares the newest 128 names one by one, which finds a frequent term at once. Then it searches the index bucket by
-- bucket until it has enough. One call, because a round trip to the database takes longer than most of these steps.
CREATE FUNCTION name_candidates(owner BIGINT, pieces TEXT[], pattern TEXT, below BIGINT, at_most BIGINT) RETURNS BIGINT[]
    LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
    found BIGINT[];
    bucket BIGINT;
BEGIN
    SELECT coalesce(array_agg(id ORDER BY id DESC) FILTER (WHERE state = 'active' AND name_key LIKE pattern ESCAPE '\'), '{}'),
            min(id), min(first_change) / 65536
        INTO found, below, bucket
        FROM (SELECT id, first_change, state, name_key FROM files WHERE workspace_id = owner AND id < below
            ORDER BY id DESC LIMIT 128) AS newest;
    WHILE cardinality(found) < at_most AND bucket >= 0 LOOP
        -- MATERIALIZED forces the index of pieces: the planner does not know how rare they are and would scan the workspace in
        -- the order of ids.
        WITH named AS MATERIALIZED (
            SELECT id, workspace_id, state, first_change, name_key FROM files
            WHERE name_pieces(workspace_id, first_change / 65536, name_key)
                @> ARRAY(SELECT hashtextextended(piece, owner # (bucket << 50)) FROM unnest(pieces) AS piece)
        )
        SELECT found || ARRAY(
            SELECT id FROM named WHERE workspace_id = owner AND id < below AND first_change / 65536 = bucket
                AND state = 'active' AND name_key LIKE pattern ESCAPE '\' ORDER BY id DESC LIMIT at_most
        ) INTO found;
        bucket := bucket - 1;
    END LOOP;
    RETURN found[:at_most];
END $$;

-- Lists are compact already.
ALTER TABLE search_blocks ALTER COLUMN lists SET STORAGE EXTERNAL;
ALTER TABLE manifests ALTER COLUMN text SET STORAGE EXTERNAL;
