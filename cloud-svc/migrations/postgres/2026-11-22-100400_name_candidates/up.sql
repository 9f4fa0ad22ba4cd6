-- Ids below `below` of the owner's files whose names match the pattern and have all pieces, newest first: at most `at_most`.
-- The newest names are compared one by one, so that a term that many names contain is found at once; then the index is
-- searched bucket by bucket, until there is enough. All in one call, because the way between service and database takes longer
-- than most of these steps.
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
        -- What is found by the pieces is made first: the planner, which does not know how rare they are, would walk through the
        -- workspace in the order of ids.
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
