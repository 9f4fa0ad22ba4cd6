mod details;
mod large_purges;
mod list;
mod names;
mod purge;
mod retired_ids;
mod tree;
