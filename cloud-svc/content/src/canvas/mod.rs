//! What publications and presentations have in common: pages or slides, on which elements lie.

pub mod colour;
pub mod edit;
pub mod element;
pub mod markdown;
pub mod number;
pub mod outline;
pub mod rules;
pub mod schema_version;

use std::iter;

use serde::Serialize;

use self::element::Element;
use crate::{
    part_id::PartId,
    parts::Part,
    passage::{Passage, Place},
    preview::ChangedPlace,
};

/// A page or a slide.
pub trait Canvas: Part + Clone + PartialEq + Serialize {
    /// What it is called in operations: `page` stands for members `page` and `page_id`.
    const WORD: &'static str;

    /// The member of the content that has them all.
    const LIST: &'static str;

    /// Its id, to be given.
    fn id_mut(&mut self) -> &mut Option<PartId>;

    /// Its name.
    fn name(&self) -> &str;

    /// What is said with it and is not on it.
    fn notes(&self) -> &str {
        ""
    }

    /// What lies on it, from the bottom to the top.
    fn elements(&self) -> &[Element];

    /// The same, to be edited.
    fn elements_mut(&mut self) -> &mut Vec<Element>;

    /// Whether all but the elements is the same.
    fn is_same_but_for_elements(&self, other: &Self) -> bool;

    /// Where a change of the one with this id is.
    fn place(id: Option<PartId>) -> ChangedPlace;
}

/// The ids of all and of what lies on them.
pub fn part_ids<C: Canvas>(canvases: &[C]) -> Vec<&PartId> {
    let mut ids = Vec::new();
    for canvas in canvases {
        ids.extend(canvas.id());
        ids.extend(canvas.elements().iter().filter_map(Part::id));
    }
    ids
}

/// All text: of each its name, its elements and its notes.
pub fn passages<C: Canvas>(canvases: &[C]) -> impl Iterator<Item = Passage<'_>> {
    fn passage<'a>(id: Option<&'a PartId>, text: &'a str) -> Passage<'a> {
        Passage { place: Place::Part(id.map_or("", PartId::as_str)), text, link: None }
    }
    canvases.iter().flat_map(|canvas| {
        let elements = canvas.elements().iter().map(|element| passage(element.id(), &element.text));
        let notes = (!canvas.notes().is_empty()).then(|| passage(canvas.id(), canvas.notes()));
        iter::once(passage(canvas.id(), canvas.name())).chain(elements).chain(notes)
    })
}
