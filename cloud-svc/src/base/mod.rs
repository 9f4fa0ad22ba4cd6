//! The vocabulary of the service: ids, codes, limits, permissions, tables, and the author of a change.

pub mod author;
pub mod codes;
pub mod empty;
pub mod heavy;
pub mod id_list;
pub mod ids;
pub mod limits;
pub mod links;
pub mod other_state;
pub mod owner;
pub mod parent;
pub mod permissions;
pub mod plan_state;
pub mod receipt_key;
pub mod sha256_hex;
pub mod tables;
