//! Pages for people.

mod contents;
mod deciding;
mod files;
mod hostile;
mod long;
