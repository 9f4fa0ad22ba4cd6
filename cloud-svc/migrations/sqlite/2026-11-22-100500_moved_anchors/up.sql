-- What a comment was about up to a version of its file, after which it moved: with the cells that it is about, or back with
-- them when an earlier version is restored.
CREATE TABLE moved_anchors (
    comment_id INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
    version_id INTEGER NOT NULL,
    -- As JSON.
    anchor TEXT NOT NULL,
    PRIMARY KEY (comment_id, version_id)
) STRICT;
