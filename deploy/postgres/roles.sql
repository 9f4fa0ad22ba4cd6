-- Creates the schema and the three roles of one service on PostgreSQL 15 or later. Run it as an administrator of the database
-- (a superuser, or its owner with CREATEROLE), once per service, and again when this file changes: it can be repeated.
--
--     psql -v ON_ERROR_STOP=1 -v service=cloud -d fourfold -f deploy/postgres/roles.sql
--
-- fourfold_cloud_owner     owns the schema and everything in it; cannot log in
-- fourfold_cloud_migrator  logs in to run `cloud-svc migrate`; creates objects as the owner
-- fourfold_cloud_app       used by the service; reads and writes rows, cannot create, alter or drop anything
--
-- Passwords are set separately (passwords.sql, or \password), so that this file can run again without them. Optional
-- variable: app_connections, the number of sessions that all replicas of the service may have together.

\set ON_ERROR_STOP on
\if :{?service}
\else
    \set service ''
\endif
\if :{?app_connections}
\else
    \set app_connections 150
\endif
SELECT :'service' ~ '^[a-z][a-z0-9]{0,30}$' AS is_name \gset
\if :is_name
\else
    \warn 'set the name of the service, for example -v service=cloud'
    -- psql has no command that exits with an error, so cause one.
    SELECT 1 / 0;
\endif
\set schema fourfold_ :service
\set owner :schema _owner
\set migrator :schema _migrator
\set app :schema _app

BEGIN;
-- When run again, PostgreSQL would report each line that changes nothing.
SET LOCAL client_min_messages = warning;

-- CREATE ROLE has no IF NOT EXISTS.
SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY[:'owner', :'migrator', :'app']) AS name
WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE :"owner" NOLOGIN NOINHERIT;
ALTER ROLE :"migrator" LOGIN NOINHERIT CONNECTION LIMIT 5;
ALTER ROLE :"app" LOGIN NOINHERIT CONNECTION LIMIT :app_connections;
-- The migrator acts as the owner. So does the administrator, who may not be a superuser and must create the schema.
GRANT :"owner" TO :"migrator";
GRANT :"owner" TO CURRENT_USER;

-- PUBLIC gets no access to the database, to its schema `public`, or to temporary tables.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I, %I', current_database(), :'migrator', :'app') \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- CREATE SCHEMA … AUTHORIZATION requires this unless run by a superuser.
SELECT format('GRANT CREATE ON DATABASE %I TO CURRENT_USER', current_database()) \gexec
CREATE SCHEMA IF NOT EXISTS :"schema" AUTHORIZATION :"owner";
ALTER SCHEMA :"schema" OWNER TO :"owner";
REVOKE ALL ON SCHEMA :"schema" FROM PUBLIC;
GRANT USAGE ON SCHEMA :"schema" TO :"app";

-- What migrations will make. PUBLIC may execute every new function otherwise; a default of the schema could not take that away.
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" REVOKE ALL ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" REVOKE ALL ON TYPES FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"app";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT USAGE, SELECT ON SEQUENCES TO :"app";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT EXECUTE ON FUNCTIONS TO :"app";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA :"schema" GRANT USAGE ON TYPES TO :"app";

-- How sessions begin, in this database. Temporary tables come last in the search path, so that none stands before one of ours.
-- The service sets narrower limits for requests (8 s for a statement, 5 s for a lock); these hold for what it does beside them.
SELECT format('ALTER ROLE %I IN DATABASE %I SET %s', role, current_database(), setting)
FROM unnest(ARRAY[:'migrator', :'app']) AS role,
    unnest(ARRAY[
        format('search_path = %I, pg_temp', :'schema'),
        'lock_timeout = ''10s''',
        -- A process that stops in the middle of a transaction holds its locks for no longer.
        'idle_in_transaction_session_timeout = ''30s''',
        -- A statement whose client is gone ends.
        'client_connection_check_interval = ''10s'''
    ]) AS setting \gexec
SELECT format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''60s''', :'app', current_database()) \gexec
-- A migration may take as long as it needs. Others wait for its locks only within their own time limits.
SELECT format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = 0', :'migrator', current_database()) \gexec
SELECT format('ALTER ROLE %I IN DATABASE %I SET role = %L', :'migrator', current_database(), :'owner') \gexec

COMMIT;
