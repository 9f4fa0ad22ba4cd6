-- Parts are added only while their export is being built, and never change. The result of a build never changes either.
CREATE FUNCTION export_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE FUNCTION export_parts_while_building() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT state FROM exports WHERE id = NEW.export_id) <> 'building' THEN
        RAISE EXCEPTION 'parts are added to an export only while it is being built';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER export_parts_come_while_building BEFORE INSERT ON export_parts
FOR EACH ROW EXECUTE FUNCTION export_parts_while_building();

CREATE TRIGGER export_parts_never_change BEFORE UPDATE ON export_parts
FOR EACH ROW EXECUTE FUNCTION export_refuse('a part of an export never changes');

CREATE TRIGGER export_parts_stay BEFORE DELETE ON export_parts
FOR EACH ROW EXECUTE FUNCTION export_refuse('a part of an export is never deleted');

CREATE TRIGGER exports_stay_as_built BEFORE UPDATE ON exports FOR EACH ROW
WHEN (OLD.state <> 'building' AND (NEW.state = 'building' OR NEW.part_count IS DISTINCT FROM OLD.part_count
    OR NEW.bytes IS DISTINCT FROM OLD.bytes OR NEW.sha256 IS DISTINCT FROM OLD.sha256
    OR NEW.manifest IS DISTINCT FROM OLD.manifest))
EXECUTE FUNCTION export_refuse('an export stays as it was built');
