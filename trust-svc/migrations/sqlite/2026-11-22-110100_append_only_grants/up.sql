-- SQLite has no roles: the triggers alone refuse.
SELECT 1;
