DROP INDEX operations_finished;
