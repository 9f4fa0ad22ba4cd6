//! The parts of publications and presentations that have an author: pages or slides, and their elements.

use std::collections::HashMap;

use super::{Canvas, element::Element};
use crate::{
    anchor::Anchor,
    grid::{Area, Grid, Sources},
    part_id::PartId,
    parts::Part as _,
};

/// A table for each page or slide. Its first part is the page without its elements.
pub fn grids<C: Canvas>(canvases: &[C]) -> Vec<Grid> {
    canvases.iter().map(|canvas| Grid::list(1 + canvas.elements().len())).collect()
}

enum Piece<'a, C> {
    Frame(&'a C),
    Element(&'a Element),
}

fn pieces<C: Canvas>(canvases: &[C]) -> impl Iterator<Item = Piece<'_, C>> {
    canvases
        .iter()
        .flat_map(|canvas| std::iter::once(Piece::Frame(canvas)).chain(canvas.elements().iter().map(Piece::Element)))
}

impl<C: Canvas> Piece<'_, C> {
    fn id(&self) -> Option<&PartId> {
        match self {
            Self::Frame(canvas) => canvas.id(),
            Self::Element(element) => element.id(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Frame(one), Self::Frame(other)) => one.is_same_but_for_elements(other),
            (Self::Element(one), Self::Element(other)) => one == other,
            _ => false,
        }
    }
}

/// A part is the one with the same id, on whichever page it is.
pub fn sources<C: Canvas>(before: &[C], later: &[C]) -> Sources {
    let old: HashMap<PartId, (usize, Piece<'_, C>)> =
        pieces(before).enumerate().filter_map(|(place, piece)| Some((piece.id()?.clone(), (place, piece)))).collect();
    let source = |piece: Piece<'_, C>| {
        let (place, before) = old.get(piece.id()?)?;
        before.is_same(&piece).then_some(*place)
    };
    pieces(later).map(source).collect()
}

/// Ids of a page and its elements.
pub fn place<C: Canvas>(canvases: &[C], grid: usize, area: &Area) -> String {
    let canvas = &canvases[grid];
    area.named(|index| {
        let element = index.checked_sub(1).map(|element| &canvas.elements()[element]);
        let id = element.map_or_else(|| canvas.id(), Element::id);
        id.map(PartId::to_string).unwrap_or_default()
    })
}

/// A page is changed with any of its elements.
pub fn changes_at<C: Canvas>(before: &[C], later: &[C], places: &[Anchor]) -> Vec<bool> {
    let page = |canvases: &[C], id: &PartId| canvases.iter().find(|canvas| canvas.id() == Some(id)).cloned();
    let element = |canvases: &[C], id: &PartId| {
        canvases.iter().flat_map(Canvas::elements).find(|element| element.id() == Some(id)).cloned()
    };
    let changes = |place: &Anchor| {
        let Some(id) = place.slide_id.as_ref().or(place.block_id.as_ref()) else { return false };
        match (page(before, id), element(before, id)) {
            (Some(old), _) => page(later, id).as_ref() != Some(&old),
            (None, Some(old)) => element(later, id).as_ref() != Some(&old),
            (None, None) => false,
        }
    };
    places.iter().map(changes).collect()
}
