DROP TABLE catalogue_upstream;
