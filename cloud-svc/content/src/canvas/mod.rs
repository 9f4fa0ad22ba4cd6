//! What publications and presentations share: pages or slides with elements.

pub mod authored;
pub mod color;
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
    written::{Spot, Written},
};

pub trait Canvas: Part + Clone + PartialEq + Serialize {
    /// Its name in operations: `page` stands for the members `page` and `page_id`.
    const WORD: &'static str;

    /// The member of the content that lists them.
    const LIST: &'static str;

    fn id_mut(&mut self) -> &mut Option<PartId>;

    fn name(&self) -> &str;

    /// The speaker's notes.
    fn notes(&self) -> &str {
        ""
    }

    /// From the bottom to the top.
    fn elements(&self) -> &[Element];

    fn elements_mut(&mut self) -> &mut Vec<Element>;

    // Elements are compared one by one, so that two plans may change different elements of one page.
    fn is_same_but_for_elements(&self, other: &Self) -> bool;

    /// The place of a change to the page or slide with this id.
    fn place(id: Option<PartId>) -> ChangedPlace;
}

/// The ids of all pages or slides and of their elements.
pub fn part_ids<C: Canvas>(canvases: &[C]) -> Vec<&PartId> {
    let mut ids = Vec::new();
    for canvas in canvases {
        ids.extend(canvas.id());
        ids.extend(canvas.elements().iter().filter_map(Part::id));
    }
    ids
}

/// All text, in reading order: name, elements and notes of each page or slide.
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

/// The same, for a search. `spot` is the place of a page or slide.
pub fn written<'a, C: Canvas>(canvases: &'a [C], spot: fn(&'a str) -> Spot<'a>) -> Vec<Written<'a>> {
    fn id(part: &impl Part) -> &str {
        part.id().map_or("", PartId::as_str)
    }
    let mut written = Vec::new();
    for canvas in canvases {
        let mut add = |spot, text: &'a str| written.push(Written { spot, text: text.into() });
        add(spot(id(canvas)), canvas.name());
        canvas.elements().iter().for_each(|element| add(Spot::Block(id(element)), &element.text));
        add(spot(id(canvas)), canvas.notes());
    }
    written.retain(|Written { text, .. }| !text.is_empty());
    written
}
