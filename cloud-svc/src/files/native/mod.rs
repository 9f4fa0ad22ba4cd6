//! Native files, whose content the service knows: what is the same for all their kinds.

pub mod answer;
pub mod create;
mod paging;
pub mod read;
pub mod sheets;
pub mod view;
