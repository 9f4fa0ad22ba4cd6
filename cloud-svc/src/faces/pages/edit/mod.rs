//! `/f/{file_id}/edit`: a person changes a note, a document or some cells. It becomes a plan, as an agent's edit does.

mod act;
pub mod cells;
mod content_form;
mod document;
mod followed;
mod form;
mod merge;
mod note;
mod places;
mod sheet;
mod versions;

pub use act::propose;
pub use form::form;
