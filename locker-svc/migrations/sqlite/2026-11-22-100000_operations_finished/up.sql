-- Finds the operations that ended long enough ago to be deleted.
CREATE INDEX operations_finished ON operations (finished_at) WHERE finished_at IS NOT NULL;
