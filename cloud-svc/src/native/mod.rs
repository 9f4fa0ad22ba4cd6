//! Native files, whose content the service knows: what is the same for all their kinds.

pub mod answer;
pub mod create;
pub mod kind;
mod pages;
pub mod read;
pub mod view;
