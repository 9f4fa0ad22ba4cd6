CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER orders_are_never_deleted BEFORE DELETE ON orders
FOR EACH ROW EXECUTE FUNCTION refuse_change('an order is never deleted');

CREATE TRIGGER orders_are_never_truncated BEFORE TRUNCATE ON orders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an order is never deleted');

CREATE TRIGGER orders_keep_what_never_changes BEFORE UPDATE ON orders FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.owner <> OLD.owner OR NEW.number <> OLD.number OR NEW.version <= OLD.version
    OR (OLD.placed_at IS NOT NULL AND (NEW.placed_at IS NULL OR NEW.placed_at <> OLD.placed_at)))
EXECUTE FUNCTION refuse_change('an order keeps its id, owner, number and placed_at, and its version rises');

-- A timeline is a JSON array: the recorded steps without `]`, then a comma, then more steps. A draft may still change its steps.
CREATE TRIGGER orders_timelines_only_grow BEFORE UPDATE ON orders FOR EACH ROW
WHEN (OLD.state <> 'draft' AND NEW.timeline <> OLD.timeline
    AND substr(NEW.timeline, 1, length(OLD.timeline)) <> substr(OLD.timeline, 1, length(OLD.timeline) - 1) || ',')
EXECUTE FUNCTION refuse_change('the timeline of an order only grows');
