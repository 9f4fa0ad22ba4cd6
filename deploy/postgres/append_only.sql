-- Revokes privileges that one service never needs: changing or deleting rows of append-only tables, deleting rows that are
-- never deleted, and writing tables that only migrations write. Triggers refuse most of this already. Missing privileges also
-- hold while a trigger is disabled, and can be tested without rows. Run it after `migrate`, as the user who ran roles.sql or as
-- the migrator, and again after each release with migrations. Missing tables are skipped.
--
--     psql -v ON_ERROR_STOP=1 -v service=cloud -d fourfold -f deploy/postgres/append_only.sql
--
-- The migrations of the trust service revoke UPDATE and DELETE on its log themselves; this file repeats it.

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
\set app :schema _app

SELECT format('REVOKE %s ON %I.%I FROM %I', privileges, :'schema', name, :'app')
FROM (VALUES
    -- All services: only `migrate` writes the database's identity and the list of its migrations.
    (NULL,     'database_identity',          'INSERT, UPDATE, DELETE, TRUNCATE'),
    (NULL,     '__diesel_schema_migrations', 'INSERT, UPDATE, DELETE, TRUNCATE'),
    (NULL,     'revocations',                'UPDATE, DELETE, TRUNCATE'),
    ('locker', 'catalogue_snapshots',        'UPDATE, DELETE, TRUNCATE'),
    ('locker', 'attestations',               'UPDATE, DELETE, TRUNCATE'),
    ('locker', 'attestors',                  'DELETE, TRUNCATE'),
    ('locker', 'export_parts',               'UPDATE, DELETE, TRUNCATE'),
    ('locker', 'exports',                    'DELETE, TRUNCATE'),
    ('cloud',  'versions',                   'UPDATE, TRUNCATE'),
    ('cloud',  'changes',                    'UPDATE, TRUNCATE'),
    ('cloud',  'receipts',                   'UPDATE, DELETE, TRUNCATE'),
    ('cloud',  'receipt_keys',               'UPDATE, DELETE, TRUNCATE'),
    ('orders', 'orders',                     'DELETE, TRUNCATE'),
    ('orders', 'ordering',                   'INSERT, DELETE, TRUNCATE'),
    ('trust',  'log_entries',                'UPDATE, DELETE, TRUNCATE'),
    ('trust',  'subtree_roots',              'UPDATE, DELETE, TRUNCATE'),
    ('trust',  'events',                     'UPDATE, DELETE, TRUNCATE'),
    ('trust',  'submitted_checkpoints',      'UPDATE, DELETE, TRUNCATE'),
    ('trust',  'cosignatures',               'UPDATE, DELETE, TRUNCATE'),
    ('trust',  'log_head',                   'INSERT, DELETE, TRUNCATE'),
    ('trust',  'signers',                    'DELETE, TRUNCATE')
) AS narrowed (service, name, privileges)
WHERE coalesce(narrowed.service, :'service') = :'service'
AND to_regclass(format('%I.%I', :'schema', name)) IS NOT NULL \gexec

-- When an attestor signs for an image again, its new envelope replaces the old one; other columns stay.
SELECT format('GRANT UPDATE (envelope) ON %I.attestations TO %I', :'schema', :'app')
WHERE :'service' = 'locker' AND to_regclass(format('%I.attestations', :'schema')) IS NOT NULL \gexec
