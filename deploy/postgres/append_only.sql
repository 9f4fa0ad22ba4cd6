-- Takes from the role of one service what it never needs: to change or delete rows that are only ever added, to delete rows that
-- are never deleted, to write what only migrations write. Triggers refuse most of that already; a privilege that is missing also
-- holds where a trigger was switched off, and needs no row to be tried on. Run after `migrate`, by whoever ran roles.sql or as the
-- migrator; again after each release that has migrations. Tables that are not there (yet) are passed over.
--
--     psql -v ON_ERROR_STOP=1 -v service=cloud -d fourfold -f deploy/postgres/append_only.sql
--
-- The trust service's migrations take UPDATE and DELETE of its log away by themselves; here it is said again.

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
\set app :schema _app

SELECT format('REVOKE %s ON %I.%I FROM %I', privileges, :'schema', name, :'app')
FROM (VALUES
    -- All services: whose database it is, and which migrations it had, is written by `migrate`.
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

-- An attestor that signs for an image again replaces what it has signed before, and nothing else of the row.
SELECT format('GRANT UPDATE (envelope) ON %I.attestations TO %I', :'schema', :'app')
WHERE :'service' = 'locker' AND to_regclass(format('%I.attestations', :'schema')) IS NOT NULL \gexec
