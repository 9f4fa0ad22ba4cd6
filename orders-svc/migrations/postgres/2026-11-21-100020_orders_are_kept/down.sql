DROP TRIGGER orders_timelines_only_grow ON orders;
DROP TRIGGER orders_keep_what_never_changes ON orders;
DROP TRIGGER orders_are_never_truncated ON orders;
DROP TRIGGER orders_are_never_deleted ON orders;
DROP FUNCTION refuse_change;
DROP INDEX orders_by_owner;
