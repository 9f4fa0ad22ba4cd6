DROP TABLE versions;
DROP TABLE files;
DROP TABLE workspaces;
