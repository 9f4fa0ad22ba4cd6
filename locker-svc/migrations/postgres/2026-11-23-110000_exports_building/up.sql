-- A state that comes as a parameter does not choose an index for one state: what is there in that state alone does.
DROP INDEX exports_building;
CREATE UNIQUE INDEX exports_building ON exports (room_id, source) WHERE ready_at IS NULL AND ended_at IS NULL;
