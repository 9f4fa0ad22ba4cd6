//! Paths through a graph of files or rooms.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::Path,
};

/// What each file or room imports from.
pub struct Graph<'a>(HashMap<&'a Path, HashSet<&'a Path>>);

impl<'a> Graph<'a> {
    pub fn new(arrows: impl IntoIterator<Item = (&'a Path, &'a Path)>) -> Self {
        let mut graph: HashMap<&Path, HashSet<&Path>> = HashMap::new();
        for (from, to) in arrows {
            graph.entry(from).or_default().insert(to);
        }
        Self(graph)
    }

    /// The nodes on a shortest path from one node to another, both included.
    pub fn path(&self, from: &'a Path, to: &Path) -> Option<Vec<&'a Path>> {
        let mut came: HashMap<&Path, &Path> = HashMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(node) = next.pop_front() {
            if node == to {
                let mut path = vec![node];
                while let Some(before) = came.get(path[path.len() - 1]).filter(|_| path[path.len() - 1] != from) {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            // Sorted, so that a failure names the same path in each run.
            let mut below: Vec<&Path> = self.0.get(node).into_iter().flatten().copied().collect();
            below.sort();
            for node_below in below {
                if !came.contains_key(node_below) {
                    came.insert(node_below, node);
                    next.push_back(node_below);
                }
            }
        }
        None
    }
}
