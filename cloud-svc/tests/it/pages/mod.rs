//! Pages for people.

mod choosing;
mod commenting;
mod contents;
mod deciding;
mod editing;
mod files;
mod german;
mod hostile;
mod long;
mod moved_cells;
mod scripted;
mod seeing;
mod writing;
