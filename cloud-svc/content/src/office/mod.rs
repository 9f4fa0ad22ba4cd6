//! Office Open XML of other programs: a zip archive of XML, both of a stranger.

pub mod archive;
pub mod xml;
