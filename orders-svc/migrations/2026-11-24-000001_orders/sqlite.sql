CREATE TRIGGER orders_are_never_deleted BEFORE DELETE ON orders
BEGIN
    SELECT RAISE(ABORT, 'an order is never deleted');
END;

-- INSERT OR REPLACE deletes the old row without firing the trigger above.
CREATE TRIGGER orders_are_recorded_once BEFORE INSERT ON orders
WHEN EXISTS (SELECT 1 FROM orders WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM orders WHERE number = NEW.number)
    OR EXISTS (SELECT 1 FROM orders WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'an order is recorded once: its id and number are taken');
END;

CREATE TRIGGER orders_keep_what_never_changes BEFORE UPDATE ON orders
WHEN NEW.rowid <> OLD.rowid OR NEW.id <> OLD.id OR NEW.owner <> OLD.owner OR NEW.number <> OLD.number OR NEW.version <= OLD.version
    OR (OLD.placed_at IS NOT NULL AND (NEW.placed_at IS NULL OR NEW.placed_at <> OLD.placed_at))
BEGIN
    SELECT RAISE(ABORT, 'an order keeps its id, owner, number and placed_at, and its version rises');
END;

-- A timeline is a JSON array: the recorded steps without `]`, then a comma, then more steps. A draft may still change its steps.
CREATE TRIGGER orders_timelines_only_grow BEFORE UPDATE ON orders
WHEN OLD.state <> 'draft' AND NEW.timeline <> OLD.timeline
    AND substr(NEW.timeline, 1, length(OLD.timeline)) <> substr(OLD.timeline, 1, length(OLD.timeline) - 1) || ','
BEGIN
    SELECT RAISE(ABORT, 'the timeline of an order only grows');
END;
