//! `/f/{file_id}/edit`: a person changes a note, a document or some cells. It becomes a plan, as an agent's edit does.

mod act;
pub mod cells;
mod document;
mod form;
mod merge;
mod note;

pub use act::propose;
pub use form::form;
