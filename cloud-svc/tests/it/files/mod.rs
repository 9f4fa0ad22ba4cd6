mod details;
mod list;
mod purge;
mod tree;
