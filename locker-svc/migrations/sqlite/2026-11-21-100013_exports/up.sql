-- A portable package of a room, in parts that are downloaded one by one.
CREATE TABLE exports (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    room_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('building', 'ready', 'failed', 'expired', 'revoked')),
    -- What downloads are bound to: raising it ends them.
    epoch INTEGER NOT NULL CHECK (epoch >= 1),
    -- What is packed, so that a build that was interrupted is found again.
    source TEXT NOT NULL CHECK (source <> ''),
    file_name TEXT NOT NULL CHECK (file_name <> ''),
    content_type TEXT NOT NULL CHECK (content_type <> ''),
    part_bytes INTEGER NOT NULL CHECK (part_bytes >= 1),
    part_count INTEGER CHECK (part_count >= 1),
    bytes INTEGER CHECK (bytes >= 0),
    sha256 TEXT CHECK (length(sha256) = 64),
    manifest TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ready_at INTEGER,
    expires_at INTEGER,
    ended_at INTEGER,
    -- When the bytes of an export that has ended were removed from the blob store.
    parts_removed_at INTEGER,
    FOREIGN KEY (room_id, owner) REFERENCES rooms (id, owner),
    CHECK (state <> 'building' OR (part_count IS NULL AND bytes IS NULL AND sha256 IS NULL AND manifest IS NULL)),
    CHECK (state NOT IN ('ready', 'expired') OR (part_count IS NOT NULL AND bytes IS NOT NULL AND sha256 IS NOT NULL AND manifest IS NOT NULL)),
    CHECK ((part_count IS NULL) = (ready_at IS NULL)),
    CHECK ((ended_at IS NOT NULL) = (state IN ('failed', 'expired', 'revoked'))),
    CHECK (parts_removed_at IS NULL OR ended_at IS NOT NULL)
) STRICT;

-- One build of a source at a time: whoever builds it too joins it.
CREATE UNIQUE INDEX exports_building ON exports (room_id, source) WHERE state = 'building';
CREATE INDEX exports_of_owner ON exports (owner, created_at DESC, id DESC);

CREATE TABLE export_parts (
    export_id TEXT NOT NULL REFERENCES exports (id),
    part_index INTEGER NOT NULL CHECK (part_index >= 0),
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    blob_key TEXT NOT NULL CHECK (blob_key <> ''),
    PRIMARY KEY (export_id, part_index)
) STRICT;

-- Parts come while an export is being built; none ever changes or goes.
CREATE TRIGGER export_parts_come_while_building BEFORE INSERT ON export_parts
WHEN (SELECT state FROM exports WHERE id = NEW.export_id) <> 'building'
BEGIN SELECT RAISE(ABORT, 'parts are added to an export only while it is being built'); END;

CREATE TRIGGER export_parts_never_change BEFORE UPDATE ON export_parts
BEGIN SELECT RAISE(ABORT, 'a part of an export never changes'); END;

CREATE TRIGGER export_parts_stay BEFORE DELETE ON export_parts
BEGIN SELECT RAISE(ABORT, 'a part of an export is never deleted'); END;

-- What has been built stays as it was built.
CREATE TRIGGER exports_stay_as_built BEFORE UPDATE ON exports
WHEN OLD.state <> 'building' AND (NEW.state = 'building' OR NEW.part_count IS NOT OLD.part_count
    OR NEW.bytes IS NOT OLD.bytes OR NEW.sha256 IS NOT OLD.sha256 OR NEW.manifest IS NOT OLD.manifest)
BEGIN SELECT RAISE(ABORT, 'an export stays as it was built'); END;
