-- Statement triggers, so that even a statement that changes no row fails.
CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END;
$$;
CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER subtree_roots_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON subtree_roots
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER submitted_checkpoints_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON submitted_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER cosignatures_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON cosignatures
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();

-- Takes UPDATE, DELETE and TRUNCATE from every role except the owner, whatever the default privileges of the schema grant. The
-- service does not run as the owner (docs/operate/database.md), so a disabled trigger alone does not let it rewrite the log. The owner
-- keeps its privileges because PostgreSQL checks foreign keys as the owner; only the triggers stop the owner.
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
