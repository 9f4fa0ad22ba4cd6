//! Files of all types: their records, the tree of folders, versions and comments.

pub mod add;
pub mod chunk_lists;
pub mod comments;
pub mod copy;
pub mod create_folder;
pub mod details;
pub mod file;
pub mod list;
pub mod move_to;
pub mod name_on_disk;
pub mod name_pieces;
pub mod native;
pub mod precondition;
pub mod purge;
pub mod purge_batches;
pub mod read;
pub mod rename;
pub mod restore;
pub mod retired_part_ids;
pub mod search;
pub mod store;
pub mod trash;
pub mod tree;
pub mod version_content;
pub mod version_store;
pub mod versions;
