//! Circles between rooms: the folders and the loose files that share a parent folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{circles::Graph, resolve::Arrow, rules::Offence};

/// Rooms below one folder that import one another in a circle.
#[derive(Debug, PartialEq)]
pub struct Circle {
    pub parent: PathBuf,
    /// Names of the rooms within `parent`, sorted.
    pub rooms: Vec<String>,
    /// Each arrow between two of the rooms, with its first import and the number of the others. Few imports come first:
    /// those are the cheapest to cut.
    pub arrows: Vec<String>,
}

/// A circle that is allowed until somebody cuts it: the parent folder, and the names of the rooms in it.
pub type Exception = (&'static str, &'static [&'static str]);

type Imports<'a> = BTreeMap<(PathBuf, PathBuf), Vec<&'a Arrow>>;

/// All circles between rooms of one crate. Circles of files alone are left to `rules::circular`.
pub fn circles(arrows: &[Arrow]) -> Vec<Circle> {
    let imports = imports(arrows);
    let graph = Graph::new(imports.keys().map(|(from, to)| (from.as_path(), to.as_path())));
    let in_circle = |from: &Path, to: &Path| graph.path(to, from).is_some();
    let mut circles: Vec<Vec<&Path>> = Vec::new();
    for (from, to) in imports.keys().filter(|(from, to)| in_circle(from, to)) {
        match circles.iter_mut().find(|rooms| in_circle(rooms[0], from) && in_circle(from, rooms[0])) {
            Some(rooms) => rooms.extend([from.as_path(), to]),
            None => circles.push(vec![from, to]),
        }
    }
    circles.iter_mut().for_each(|rooms| {
        rooms.sort();
        rooms.dedup();
    });
    circles.retain(|rooms| rooms.iter().any(|room| room.extension().is_none()));
    circles.iter().map(|rooms| circle(rooms, &imports)).collect()
}

/// The rooms that each import connects: where the two paths part.
fn imports(arrows: &[Arrow]) -> Imports<'_> {
    let mut imports = Imports::new();
    for arrow in arrows {
        let common = arrow.from.components().zip(arrow.to.components()).take_while(|(from, to)| from == to).count();
        let room = |file: &Path| file.components().take(common + 1).collect::<PathBuf>();
        imports.entry((room(&arrow.from), room(&arrow.to))).or_default().push(arrow);
    }
    imports
}

fn circle(rooms: &[&Path], imports: &Imports) -> Circle {
    let inside = |(from, to): &(PathBuf, PathBuf)| rooms.contains(&from.as_path()) && rooms.contains(&to.as_path());
    let mut arrows: Vec<_> = imports.iter().filter(|(ends, _)| inside(ends)).collect();
    arrows.sort_by_key(|(_, imports)| imports.len());
    let line = |((from, to), imports): (&(PathBuf, PathBuf), &Vec<&Arrow>)| {
        let (first, more) = (imports[0], imports.len() - 1);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} → {}: {}:{} {}{more}", name(from), name(to), first.from.display(), first.line, first.text)
    };
    Circle {
        parent: rooms[0].parent().unwrap_or(rooms[0]).to_owned(),
        rooms: rooms.iter().map(|room| name(room)).collect(),
        arrows: arrows.into_iter().map(line).collect(),
    }
}

fn name(room: &Path) -> String {
    room.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Circles that no exception allows, and exceptions for rooms that are no longer in a circle.
pub fn offences(circles: &[Circle], exceptions: &[Exception]) -> Vec<Offence> {
    let mut offences = Vec::new();
    for circle in circles {
        let allows = |(parent, rooms): &&Exception| {
            circle.parent == Path::new(parent) && circle.rooms.iter().all(|room| rooms.contains(&room.as_str()))
        };
        if !exceptions.iter().any(|exception| allows(&exception)) {
            let (parent, rooms) = (circle.parent.display(), circle.rooms.join(", "));
            let key = format!("{parent}: {rooms}");
            offences
                .push(Offence { line: format!("{key}: a circle of rooms\n    {}", circle.arrows.join("\n    ")), key });
        }
    }
    for (parent, rooms) in exceptions {
        let in_circle = |room: &str| {
            circles
                .iter()
                .any(|circle| circle.parent == Path::new(parent) && circle.rooms.iter().any(|name| name == room))
        };
        offences.extend(rooms.iter().filter(|room| !in_circle(room)).map(|room| Offence {
            key: format!("{parent}: {room}"),
            line: format!("{parent}: {room} is in no circle of rooms: remove it from the exceptions"),
        }));
    }
    offences
}
