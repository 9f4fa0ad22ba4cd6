//! Circles in a graph of files.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::Path,
};

use crate::resolve::Arrow;

/// The files of one file's arrows.
pub struct Graph<'a>(HashMap<&'a Path, HashSet<&'a Path>>);

impl<'a> Graph<'a> {
    pub fn of(arrows: &'a [Arrow]) -> Self {
        let mut graph: HashMap<&Path, HashSet<&Path>> = HashMap::new();
        for arrow in arrows {
            graph.entry(&arrow.from).or_default().insert(&arrow.to);
        }
        Self(graph)
    }

    /// The files on a shortest path from one file to another, both included.
    pub fn path(&self, from: &'a Path, to: &Path) -> Option<Vec<&'a Path>> {
        let mut came: HashMap<&Path, &Path> = HashMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(file) = next.pop_front() {
            if file == to {
                let mut path = vec![file];
                while let Some(before) = came.get(path[path.len() - 1]).filter(|_| path[path.len() - 1] != from) {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            let mut below: Vec<&Path> = self.0.get(file).into_iter().flatten().copied().collect();
            below.sort();
            for file_below in below {
                if !came.contains_key(file_below) {
                    came.insert(file_below, file);
                    next.push_back(file_below);
                }
            }
        }
        None
    }
}
