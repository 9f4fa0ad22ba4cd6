-- Grants of access, recorded when they are first seen. A revoked one stays until it would have expired.
CREATE TABLE grants (
    grant_id      TEXT    NOT NULL PRIMARY KEY,
    subject       TEXT    NOT NULL,
    workspace_id  BIGINT,
    first_seen_at BIGINT  NOT NULL,
    expires_at    BIGINT  NOT NULL,
    revoked_at    BIGINT
);
CREATE INDEX grants_revoked_at ON grants (revoked_at);
