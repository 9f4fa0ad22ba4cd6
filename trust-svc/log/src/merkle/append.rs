//! Appends a batch of leaves: computes the new tree, the proof of each leaf, and the subtree roots to store.

use super::{
    frontier::Frontier,
    hash::{Hash, node_hash},
    size::{self, TILE_HEIGHT, TooLarge},
};

/// The stored root of a complete subtree. The roots of one level make the tiles of that level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubtreeRoot {
    /// From 1. A subtree of level `k` has 256^`k` leaves.
    pub level: u8,
    /// The position among the subtrees of its level.
    pub index: u64,
    pub hash: Hash,
}

/// The tree after a batch.
#[derive(Clone, Debug)]
pub struct Appended {
    old_size: u64,
    frontier: Frontier,
    root: Hash,
    // The new complete nodes by height, from the leaves up. Each level may begin with one old node: the left neighbor
    // of the first new one.
    levels: Vec<Level>,
    // For each level, the root of what comes after its last complete node.
    edges: Vec<Option<Hash>>,
}

#[derive(Clone, Debug)]
struct Level {
    // Even, because an odd first node has its left neighbor in front of it, from the old frontier.
    first: u64,
    nodes: Vec<Hash>,
}

/// Appends leaves, given their hashes. Computes two hashes for each leaf.
pub fn append(frontier: &Frontier, leaves: &[Hash]) -> Result<Appended, TooLarge> {
    let old_size = frontier.size();
    let size = size::sum(old_size, leaves.len() as u64)?;
    let mut old_roots = frontier.roots().iter().rev();
    let (mut levels, mut edges, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    let (mut complete, mut edge) = (leaves.to_vec(), None);
    for height in 0..u64::BITS - size.leading_zeros() {
        if is_set(old_size, height) {
            // The old frontier has a root of this height: the left neighbor of the first new node. Without it that node
            // has no sibling.
            complete.splice(0..0, old_roots.next().copied());
        }
        let level = Level { first: (old_size >> height) & !1, nodes: complete };
        edges.push(edge);
        if is_set(size, height)
            && let Some(last) = level.nodes.last()
        {
            roots.push(*last);
            edge = Some(edge.map_or(*last, |edge| node_hash(last, &edge)));
        }
        complete = level.nodes.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect();
        levels.push(level);
    }
    roots.reverse();
    let frontier = Frontier::of(size, roots);
    Ok(Appended { old_size, root: frontier.root(), frontier, levels, edges })
}

impl Appended {
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    pub fn root(&self) -> Hash {
        self.root
    }

    /// The inclusion path (RFC 9162 §2.1.3.1) of each leaf of the batch in the new tree, in the order of the batch.
    pub fn inclusion_paths(&self) -> impl Iterator<Item = Vec<Hash>> {
        (self.old_size..self.size()).map(|index| self.inclusion_path(index))
    }

    fn inclusion_path(&self, index: u64) -> Vec<Hash> {
        let levels = self.levels.iter().zip(&self.edges).enumerate();
        levels.filter_map(|(height, (level, edge))| level.sibling(index >> height, edge.as_ref())).copied().collect()
    }

    /// The roots of the subtrees of 256, 65 536, … leaves that the batch completes, ordered by level and position.
    pub fn subtree_roots(&self) -> Vec<SubtreeRoot> {
        let mut completed = Vec::new();
        for (level, row) in (0_u8..).zip(self.levels.iter().step_by(TILE_HEIGHT as usize)).skip(1) {
            let old = self.old_size >> (TILE_HEIGHT * u32::from(level));
            let nodes = (row.first..).zip(&row.nodes).skip_while(|(index, _)| *index < old);
            completed.extend(nodes.map(|(index, hash)| SubtreeRoot { level, index, hash: *hash }));
        }
        completed
    }
}

impl Level {
    // The last of an odd number of nodes has no sibling: it moves up as it is.
    fn sibling<'a>(&'a self, index: u64, edge: Option<&'a Hash>) -> Option<&'a Hash> {
        let sibling = usize::try_from((index ^ 1) - self.first).ok()?;
        // Right of the last complete node is the edge: one hash for the rest of the tree.
        let after = if sibling == self.nodes.len() { edge } else { None };
        self.nodes.get(sibling).or(after)
    }
}

fn is_set(size: u64, height: u32) -> bool {
    (size >> height) & 1 == 1
}
