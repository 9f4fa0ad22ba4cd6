-- What was stale stays so when it is followed anew, so this is not the same as followed_at.
ALTER TABLE catalogue_upstream ADD COLUMN fresh_since INTEGER NOT NULL DEFAULT 0;
UPDATE catalogue_upstream SET fresh_since = coalesce(checked_at, followed_at);
