-- SQLite has no roles, no TRUNCATE and no statement triggers: a trigger for each row refuses.
CREATE TRIGGER log_entries_are_never_changed BEFORE UPDATE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER log_entries_are_never_deleted BEFORE DELETE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER subtree_roots_are_never_changed BEFORE UPDATE ON subtree_roots
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER subtree_roots_are_never_deleted BEFORE DELETE ON subtree_roots
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER submitted_checkpoints_are_never_changed BEFORE UPDATE ON submitted_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER submitted_checkpoints_are_never_deleted BEFORE DELETE ON submitted_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER cosignatures_are_never_changed BEFORE UPDATE ON cosignatures
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
CREATE TRIGGER cosignatures_are_never_deleted BEFORE DELETE ON cosignatures
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
