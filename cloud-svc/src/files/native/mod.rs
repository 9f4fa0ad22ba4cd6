//! Native files, whose content the service understands: operations for all their types.

pub mod answer;
pub mod create;
mod paging;
pub mod read;
pub mod sheets;
