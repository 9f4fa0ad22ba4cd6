-- For the page that lists the rooms of a person.
CREATE INDEX rooms_of_owner ON rooms (owner, created_at DESC, id DESC);
