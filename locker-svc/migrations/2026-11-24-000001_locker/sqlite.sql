-- Parts are added only while their export is being built, and never change. The result of a build never changes either.
CREATE TRIGGER export_parts_come_while_building BEFORE INSERT ON export_parts
WHEN (SELECT state FROM exports WHERE id = NEW.export_id) <> 'building'
BEGIN SELECT RAISE(ABORT, 'parts are added to an export only while it is being built'); END;

CREATE TRIGGER export_parts_never_change BEFORE UPDATE ON export_parts
BEGIN SELECT RAISE(ABORT, 'a part of an export never changes'); END;

CREATE TRIGGER export_parts_stay BEFORE DELETE ON export_parts
BEGIN SELECT RAISE(ABORT, 'a part of an export is never deleted'); END;

CREATE TRIGGER exports_stay_as_built BEFORE UPDATE ON exports
WHEN OLD.state <> 'building' AND (NEW.state = 'building' OR NEW.part_count IS NOT OLD.part_count
    OR NEW.bytes IS NOT OLD.bytes OR NEW.sha256 IS NOT OLD.sha256 OR NEW.manifest IS NOT OLD.manifest)
BEGIN SELECT RAISE(ABORT, 'an export stays as it was built'); END;
