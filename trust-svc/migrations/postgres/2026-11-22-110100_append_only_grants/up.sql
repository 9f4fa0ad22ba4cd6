-- What is only ever appended to is changed by nobody, whatever the default privileges of the schema grant: the role that the
-- service runs as is not the owner of the tables (docs/operations.md), and then needs more than a trigger switched off. The
-- owner keeps its privileges, because PostgreSQL checks references in its name, and is held by the triggers alone.
DO $$
DECLARE
    granted RECORD;
BEGIN
    FOR granted IN
        SELECT DISTINCT tables.oid::regclass AS name, grants.grantee
        FROM pg_class AS tables, aclexplode(tables.relacl) AS grants
        WHERE tables.relnamespace = current_schema()::regnamespace
        AND tables.relname IN ('log_entries', 'subtree_roots', 'events', 'submitted_checkpoints', 'cosignatures')
        AND grants.privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE') AND grants.grantee <> tables.relowner
    LOOP
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %s FROM %s', granted.name,
            CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END);
    END LOOP;
END $$;
