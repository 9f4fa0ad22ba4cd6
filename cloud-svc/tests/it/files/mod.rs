mod list;
mod purge;
mod tree;
