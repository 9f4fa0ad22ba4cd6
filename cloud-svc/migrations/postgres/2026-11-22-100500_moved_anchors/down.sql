DROP TABLE moved_anchors;
