//! `/f/{file_id}/edit`: a person changes a note, a document or some cells. It becomes a plan, as an agent's edit does.

mod act;
mod cell_edits;
pub mod cells;
mod content_form;
mod document;
mod document_form;
mod followed;
mod form;
pub mod kept;
mod merge;
mod note;
mod note_form;
pub mod of_others;
pub mod other_cells;
mod places;
mod sheet;
mod versions;

pub use act::propose;
pub use form::form;
