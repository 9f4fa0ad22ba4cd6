//! Appending a batch of leaves at once: the new tree, where each leaf is in it, and which stored subtrees it completes.

use super::{
    frontier::Frontier,
    hash::{Hash, node_hash},
    size::{self, TILE_HEIGHT, TooLarge},
};

/// The root of a complete subtree, as it is stored: those of one level make the tiles of that level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubtreeRoot {
    /// The level of its tile, from 1: a subtree of level `k` has 256^`k` leaves.
    pub level: u8,
    /// Its place among the subtrees of its level.
    pub index: u64,
    /// Its root.
    pub hash: Hash,
}

/// A tree to which a batch was appended.
#[derive(Clone, Debug)]
pub struct Appended {
    old_size: u64,
    frontier: Frontier,
    root: Hash,
    /// The nodes that are new and complete, level by level from the leaves, with what the batch found there before it.
    levels: Vec<Level>,
    /// For each of these levels the root of what comes after its last complete node, if anything does.
    edges: Vec<Option<Hash>>,
}

/// Neighbouring nodes of one height.
#[derive(Clone, Debug)]
struct Level {
    /// The place of the first. It is even: an odd first one has its left neighbour, from the old frontier, before it.
    first: u64,
    nodes: Vec<Hash>,
}

/// Appends leaves, given their hashes, to a tree. Costs two hashes for each leaf.
pub fn append(frontier: &Frontier, leaves: &[Hash]) -> Result<Appended, TooLarge> {
    let old_size = frontier.size();
    let size = size::sum(old_size, leaves.len() as u64)?;
    let mut old_roots = frontier.roots().iter().rev();
    let (mut levels, mut edges, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    let (mut complete, mut edge) = (leaves.to_vec(), None);
    for height in 0..u64::BITS - size.leading_zeros() {
        if is_set(old_size, height) {
            // The old frontier has a root here, which is the left neighbour of the first new node.
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
    /// The new tree.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// The number of leaves of the new tree.
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// The root of the new tree.
    pub fn root(&self) -> Hash {
        self.root
    }

    /// The inclusion path in the new tree (RFC 9162 §2.1.3.1) of each leaf of the batch, in their order.
    pub fn inclusion_paths(&self) -> impl Iterator<Item = Vec<Hash>> {
        (self.old_size..self.size()).map(|index| self.inclusion_path(index))
    }

    fn inclusion_path(&self, index: u64) -> Vec<Hash> {
        let levels = self.levels.iter().zip(&self.edges).enumerate();
        levels.filter_map(|(height, (level, edge))| level.sibling(index >> height, edge.as_ref())).copied().collect()
    }

    /// The roots of the subtrees of 256, 65 536 … leaves that the batch has completed, in the order of level and place.
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
    /// The sibling of the node at this place; `None` when the node is the last of an odd number and rises as it is.
    fn sibling<'a>(&'a self, index: u64, edge: Option<&'a Hash>) -> Option<&'a Hash> {
        let sibling = usize::try_from((index ^ 1) - self.first).ok()?;
        // After the complete nodes comes the edge, of which the node itself may be part.
        let after = if sibling == self.nodes.len() { edge } else { None };
        self.nodes.get(sibling).or(after)
    }
}

/// Whether a tree of this size has a complete subtree of this height in its frontier.
fn is_set(size: u64, height: u32) -> bool {
    (size >> height) & 1 == 1
}
