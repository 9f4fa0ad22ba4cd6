DROP INDEX exports_building;
CREATE UNIQUE INDEX exports_building ON exports (room_id, source) WHERE state = 'building';
