-- Sessions of pages that people have ended before their token expires. An empty session stands for all that began until then.
CREATE TABLE ended_sessions (
    subject       TEXT    NOT NULL,
    session       TEXT    NOT NULL,
    ended_at      BIGINT  NOT NULL,
    expires_at    BIGINT  NOT NULL,
    PRIMARY KEY (subject, session)
);
CREATE INDEX ended_sessions_expires_at ON ended_sessions (expires_at);
