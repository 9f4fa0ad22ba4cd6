DROP TABLE export_parts;
DROP TABLE exports;
