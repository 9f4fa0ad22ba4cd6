DROP TRIGGER orders_timelines_only_grow;
DROP TRIGGER orders_keep_what_never_changes;
DROP TRIGGER orders_are_recorded_once;
DROP TRIGGER orders_are_never_deleted;
DROP INDEX orders_by_owner;
