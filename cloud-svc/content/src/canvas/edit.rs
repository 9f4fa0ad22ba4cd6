//! Edits of pages or slides and of their elements.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;
use shared_model::{Error, Failure, Random};

use super::{Canvas, element::Element, part_ids};
use crate::{
    comparison::{self, Common},
    content::PartKey,
    part_id::PartId,
    parts::{self, Part},
    preview::{ChangeKind, ChangedPlace, Preview},
    surroundings,
};

/// Gives the page or slide an id, and each of its elements, where they have none.
pub fn give_ids<C: Canvas>(canvas: &mut C, random: &Random) {
    // `p_…` for a page, `s_…` for a slide.
    let letter = C::WORD.chars().next().unwrap_or('c');
    canvas.id_mut().get_or_insert_with(|| PartId::random(letter, random));
    canvas.elements_mut().iter_mut().for_each(|element| give_id(element, random));
}

pub fn give_id(element: &mut Element, random: &Random) {
    element.id.get_or_insert_with(|| PartId::random('e', random));
}

/// Inserts a page or slide after `after`, or at the end.
pub fn insert<C: Canvas>(
    canvases: &mut Vec<C>,
    canvas: &C,
    after: Option<&PartId>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let index = parts::index_after(canvases, after, preview)?;
    // One set for the page and its elements: an id must not be there twice within what is sent, either.
    let mut taken: HashSet<&PartId> = part_ids(canvases).into_iter().collect();
    if let Some(id) = canvas.id() {
        check_new(&mut taken, id, &format!("/{}/id", C::WORD), preview)?;
    }
    check_elements(taken, canvas, &[], preview)?;
    let place = ChangedPlace { after_id: Some(parts::id_before(canvases, index)), ..C::place(canvas.id().cloned()) };
    preview.change(ChangeKind::Insert, place, None::<&Value>, Some(canvas))?;
    canvases.insert(index, canvas.clone());
    Ok(())
}

/// Replaces a page or slide, which keeps its id.
pub fn replace<C: Canvas>(canvases: &mut [C], id: &PartId, canvas: &C, preview: &mut Preview) -> Result<(), Error> {
    let index = find(canvases, id, preview)?;
    check_kept(canvas.id(), id, C::WORD, preview)?;
    let mut canvas = canvas.clone();
    *canvas.id_mut() = Some(id.clone());
    // Nothing changes, so the reviewer sees no change.
    if canvases[index] == canvas {
        return Ok(());
    }
    let old: HashSet<&PartId> = canvases[index].elements().iter().filter_map(Part::id).collect();
    // The new page may keep the ids of its own elements. An id of any other page would be there twice.
    let elsewhere = part_ids(canvases).into_iter().filter(|id| !old.contains(id)).collect();
    check_elements(elsewhere, &canvas, canvases[index].elements(), preview)?;
    preview.change(ChangeKind::Replace, C::place(Some(id.clone())), Some(&canvases[index]), Some(&canvas))?;
    // Elements that the new page does not keep are deleted, and their ids must never name something else.
    let kept: HashSet<&PartId> = canvas.elements().iter().filter_map(Part::id).collect();
    old.difference(&kept).for_each(|id| preview.part_is_gone(id));
    canvases[index] = canvas;
    Ok(())
}

/// Deletes a page or slide with its elements.
pub fn delete<C: Canvas>(canvases: &mut Vec<C>, id: &PartId, preview: &mut Preview) -> Result<(), Error> {
    let index = find(canvases, id, preview)?;
    let canvas = canvases.remove(index);
    preview.change(ChangeKind::Delete, C::place(Some(id.clone())), Some(&canvas), None::<&Value>)?;
    // Comments name elements too: their ids are retired with the id of the page.
    part_ids(&[canvas]).into_iter().for_each(|id| preview.part_is_gone(id));
    Ok(())
}

/// Moves a page or slide after `after`, or to the beginning.
pub fn move_after<C: Canvas>(
    canvases: &mut Vec<C>,
    id: &PartId,
    after: Option<&PartId>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let from = find(canvases, id, preview)?;
    move_in(canvases, from, after, C::place(Some(id.clone())), preview)
}

/// Inserts an element above `after`, or on top of all.
pub fn insert_element<C: Canvas>(
    canvases: &mut [C],
    within: &PartId,
    element: &Element,
    after: Option<&PartId>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let canvas = find(canvases, within, preview)?;
    let index = parts::index_after(canvases[canvas].elements(), after, preview)?;
    if let Some(id) = &element.id {
        // Unique in the whole file: a comment names an element without its page.
        check_new(&mut part_ids(canvases).into_iter().collect(), id, "/element/id", preview)?;
    }
    let elements = canvases[canvas].elements_mut();
    let after_id = Some(parts::id_before(elements, index));
    let place = ChangedPlace { after_id, ..place_of::<C>(within, element.id.clone()) };
    preview.change(ChangeKind::Insert, place, None::<&Value>, Some(element))?;
    elements.insert(index, element.clone());
    Ok(())
}

/// Replaces an element, which keeps its id.
pub fn replace_element<C: Canvas>(
    canvases: &mut [C],
    within: &PartId,
    id: &PartId,
    element: &Element,
    preview: &mut Preview,
) -> Result<(), Error> {
    let elements = find_elements(canvases, within, preview)?;
    let index = parts::find(elements, id, "/element_id", preview)?;
    check_kept(element.id(), id, "element", preview)?;
    let element = Element { id: Some(id.clone()), ..element.clone() };
    if elements[index] != element {
        let place = place_of::<C>(within, Some(id.clone()));
        preview.change(ChangeKind::Replace, place, Some(&elements[index]), Some(&element))?;
        elements[index] = element;
    }
    Ok(())
}

pub fn delete_element<C: Canvas>(
    canvases: &mut [C],
    within: &PartId,
    id: &PartId,
    preview: &mut Preview,
) -> Result<(), Error> {
    let elements = find_elements(canvases, within, preview)?;
    let index = parts::find(elements, id, "/element_id", preview)?;
    let element = elements.remove(index);
    preview.part_is_gone(id);
    let place = place_of::<C>(within, Some(id.clone()));
    preview.change(ChangeKind::Delete, place, Some(&element), None::<&Value>)
}

/// Moves an element above `after` on the same page or slide, or below all.
pub fn move_element<C: Canvas>(
    canvases: &mut [C],
    within: &PartId,
    id: &PartId,
    after: Option<&PartId>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let elements = find_elements(canvases, within, preview)?;
    let from = parts::find(elements, id, "/element_id", preview)?;
    move_in(elements, from, after, place_of::<C>(within, Some(id.clone())), preview)
}

/// The keys of what differs: a page or slide by its id, an element as `page!element`.
pub fn differences<C: Canvas>(before: &[C], later: &[C]) -> BTreeSet<PartKey> {
    let keys = parts::changed(before, later, C::is_same_but_for_elements);
    let mut keys: BTreeSet<PartKey> = keys.into_iter().map(str::to_owned).collect();
    for (id, old) in before.iter().filter_map(|canvas| Some((canvas.id()?, canvas))) {
        // The key of a deleted page covers its elements: a key with `!` is within the key before it.
        let Some(new) = later.iter().find(|canvas| canvas.id() == Some(id)) else { continue };
        let elements = parts::changed(old.elements(), new.elements(), Element::eq);
        keys.extend(elements.into_iter().map(|element| format!("{id}!{element}")));
    }
    keys
}

/// Notes the pages, slides and elements that differ.
pub fn compare<C: Canvas>(before: &[C], later: &[C], preview: &mut Preview) -> Result<(), Error> {
    for Common { before, later } in comparison::lists(before, later, |id| C::place(id.cloned()), preview)? {
        let place = || C::place(later.id().cloned());
        if !before.is_same_but_for_elements(later) {
            // With its elements: a page is shown as a whole.
            preview.change(ChangeKind::Replace, place(), Some(before), Some(later))?;
            continue;
        }
        let of = |id: Option<&PartId>| ChangedPlace { element_id: id.cloned(), ..place() };
        for element in comparison::lists(before.elements(), later.elements(), of, preview)? {
            comparison::replaced(|| of(element.later.id()), Some(element.before), Some(element.later), preview)?;
        }
    }
    Ok(())
}

/// The pages or slides of these keys with all their elements, and those beside them.
pub fn surroundings<C: Canvas>(canvases: &[C], keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
    // The key of an element begins with its page.
    let pages = keys.iter().map(|key| key.split('!').next().unwrap_or(key).to_owned()).collect();
    let near = surroundings::with_neighbors(canvases, &pages);
    surroundings::whole(&near.iter().map(|index| &canvases[*index]).collect::<Vec<_>>())
}

fn find<C: Canvas>(canvases: &[C], id: &PartId, preview: &Preview) -> Result<usize, Error> {
    parts::find(canvases, id, &format!("/{}_id", C::WORD), preview)
}

fn find_elements<'a, C: Canvas>(
    canvases: &'a mut [C],
    within: &PartId,
    preview: &Preview,
) -> Result<&'a mut Vec<Element>, Error> {
    let index = find(canvases, within, preview)?;
    Ok(canvases[index].elements_mut())
}

fn place_of<C: Canvas>(within: &PartId, element_id: Option<PartId>) -> ChangedPlace {
    ChangedPlace { element_id, ..C::place(Some(within.clone())) }
}

fn move_in<P: Part + serde::Serialize>(
    list: &mut Vec<P>,
    from: usize,
    after: Option<&PartId>,
    place: ChangedPlace,
    preview: &mut Preview,
) -> Result<(), Error> {
    let to = parts::index_of_move(list, from, after, preview)?;
    if to == from {
        return Ok(());
    }
    let part = list.remove(from);
    // After the removal, because `to` counts the places without the moved part.
    let place = ChangedPlace { after_id: Some(parts::id_before(list, to)), ..place };
    preview.change(ChangeKind::Move, place, Some(&part), Some(&part))?;
    list.insert(to, part);
    Ok(())
}

// Another id would break the comments on the part, and would look like a deletion to a plan that is rebased.
fn check_kept(sent: Option<&PartId>, id: &PartId, word: &str, preview: &Preview) -> Result<(), Error> {
    if sent.is_some_and(|sent| sent != id) {
        return Err(preview.invalid(&format!("/{word}/id"), format!("must be absent or {id}: the id is kept")));
    }
    Ok(())
}

/// Refuses ids that are taken, and retired ids. Ids of `old` elements are allowed, because the new ones replace them.
fn check_elements<'a, C: Canvas>(
    mut taken: HashSet<&'a PartId>,
    canvas: &'a C,
    old: &[Element],
    preview: &Preview,
) -> Result<(), Error> {
    let old: HashSet<&PartId> = old.iter().filter_map(Part::id).collect();
    for (index, element) in canvas.elements().iter().enumerate() {
        let Some(id) = &element.id else { continue };
        let at = format!("/{}/elements/{index}/id", C::WORD);
        if !old.contains(id) {
            check_new(&mut taken, id, &at, preview)?;
        // The new page has an old element twice.
        } else if !taken.insert(id) {
            return Err(not_unique(&at, preview));
        }
    }
    Ok(())
}

fn check_new<'a>(taken: &mut HashSet<&'a PartId>, id: &'a PartId, at: &str, preview: &Preview) -> Result<(), Error> {
    if !taken.insert(id) {
        return Err(not_unique(at, preview));
    }
    preview.check_unused(at, id)
}

fn not_unique(at: &str, preview: &Preview) -> Error {
    preview.invalid(at, "must be an id that no other part of the file has")
}
