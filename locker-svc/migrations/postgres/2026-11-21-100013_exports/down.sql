DROP TABLE export_parts;
DROP TABLE exports;
DROP FUNCTION export_parts_while_building();
DROP FUNCTION export_refuse();
