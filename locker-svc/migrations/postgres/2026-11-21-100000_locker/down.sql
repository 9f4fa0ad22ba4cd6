DROP TABLE subscriptions;
DROP TABLE rooms;
DROP TABLE catalogue_snapshots;
