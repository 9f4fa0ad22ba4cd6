//! The parts of notes that have an author: the title, the lines and the tags.

use super::{content::NoteContent, lines};
use crate::grid::{Area, Grid, Sources};

const TITLE: usize = 0;
const CONTENT: usize = 1;

pub fn grids(note: &NoteContent) -> Vec<Grid> {
    let tags = usize::from(!note.tags.as_deref().unwrap_or_default().is_empty());
    vec![Grid::list(1), Grid::list(note.content.split('\n').count()), Grid::list(tags)]
}

pub fn sources(before: &NoteContent, later: &NoteContent) -> Sources {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.content.split('\n').collect(), later.content.split('\n').collect());
    let title = (before.title == later.title).then_some(0);
    let lines = lines::sources(&old, &new).into_iter().map(|source| source.map(|line| 1 + line));
    let mut sources: Sources = std::iter::once(title).chain(lines).collect();
    // The tags are set together, so they are one part.
    if !later.tags.as_deref().unwrap_or_default().is_empty() {
        sources.push((before.tags == later.tags).then_some(1 + old.len()));
    }
    sources
}

/// `title`, `tags`, or lines from 1: `content!3:9`.
pub fn place(grid: usize, area: &Area) -> String {
    match grid {
        TITLE => "title".to_owned(),
        CONTENT => format!("content!{}", area.named(|line| (line + 1).to_string())),
        _ => "tags".to_owned(),
    }
}
