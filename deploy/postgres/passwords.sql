-- Sets the passwords of one service's migrator and app from the environment, which keeps them off the command line:
--
--     MIGRATOR_PASSWORD=… APP_PASSWORD=… psql -v ON_ERROR_STOP=1 -v service=cloud -d fourfold -f deploy/postgres/passwords.sql
--
-- The server is sent them as they are, so use a connection that nobody listens on. By hand, \password in psql sends a hash only.

\set ON_ERROR_STOP on
\if :{?service}
\else
    \set service ''
\endif
SELECT :'service' IN ('locker', 'cloud', 'orders', 'trust') AS known \gset
\if :known
\else
    \warn 'say which service: -v service=locker, cloud, orders or trust'
    SELECT 1 / 0;
\endif
\set schema fourfold_ :service
\set migrator :schema _migrator
\set app :schema _app
\getenv migrator_password MIGRATOR_PASSWORD
\getenv app_password APP_PASSWORD
BEGIN;
-- No log of statements gets them; only a superuser can say that, and whoever is none has servers whose log others look after.
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
