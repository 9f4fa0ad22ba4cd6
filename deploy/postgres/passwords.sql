-- Sets the passwords of one service's migrator and app. Reads them from the environment, to keep them off the command line:
--
--     MIGRATOR_PASSWORD=… APP_PASSWORD=… psql -v ON_ERROR_STOP=1 -v service=cloud -d fourfold -f deploy/postgres/passwords.sql
--
-- They are sent to the server unhashed, so use a trusted connection. Interactively, \password in psql sends only a hash.

\set ON_ERROR_STOP on
\if :{?service}
\else
    \set service ''
\endif
-- roles.sql decides which services there are.
SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fourfold_' || :'service' || '_app') AS known \gset
\if :known
\else
    \warn 'no roles of this service: set it with -v service=NAME, and run roles.sql first'
    SELECT 1 / 0;
\endif
\set schema fourfold_ :service
\set migrator :schema _migrator
\set app :schema _app
\getenv migrator_password MIGRATOR_PASSWORD
\getenv app_password APP_PASSWORD
BEGIN;
-- Keeps the passwords out of the statement log. Only a superuser may set this; managed servers handle their logs themselves.
SELECT current_setting('is_superuser')::boolean AS is_superuser \gset
\if :is_superuser
    SET LOCAL log_statement = 'none';
    SET LOCAL log_min_duration_statement = -1;
\endif
SET LOCAL password_encryption = 'scram-sha-256';
\if :{?migrator_password}
    ALTER ROLE :"migrator" PASSWORD :'migrator_password';
\endif
\if :{?app_password}
    ALTER ROLE :"app" PASSWORD :'app_password';
\endif
COMMIT;
