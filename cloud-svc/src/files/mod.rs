//! Files: their records, which every kind of content has in common, and the tree of folders that they are in.

pub mod add;
pub mod copy;
pub mod file;
pub mod gone_parts;
pub mod list;
pub mod move_to;
pub mod name_key;
pub mod name_on_disk;
pub mod name_pieces;
pub mod purge;
pub mod purging;
pub mod read;
pub mod rename;
pub mod restore;
pub mod seen;
pub mod store;
pub mod trash;
pub mod tree;
