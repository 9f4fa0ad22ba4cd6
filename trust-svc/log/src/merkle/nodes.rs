//! Names the nodes that a proof consists of.

/// The root of the complete subtree of 2^`height` leaves that begins at leaf `index` × 2^`height`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub height: u32,
    pub index: u64,
}

/// One hash of a proof: the root over neighboring complete subtrees, each smaller than the one before. Mostly it is one
/// subtree; at the right end of the tree there may be several.
pub type Element = Vec<Node>;

/// The complete subtrees of the last `size` mod 2^`below` leaves of a tree of `size` leaves.
pub fn edge(size: u64, below: u32) -> Element {
    let is_set = |height: &u32| (size >> height) & 1 == 1;
    (0..below).rev().filter(is_set).map(|height| Node { height, index: (size >> height) - 1 }).collect()
}

/// The siblings of a complete node and of its ancestors in a tree of `size` leaves, from below.
pub fn path(node: Node, size: u64) -> Vec<Element> {
    let Node { height, index } = node;
    // Follow the node and the end of the tree upwards. They meet below the highest bit in which their positions differ.
    let meet = (index ^ (size >> height)).ilog2() + height;
    let below = (height..meet).map(|at| vec![Node { height: at, index: (index >> (at - height)) ^ 1 }]);
    let right = Some(edge(size, meet)).filter(|edge| !edge.is_empty());
    // Above that point only the end of the tree has siblings, all on its left.
    let left = edge(size & !((2 << meet) - 1), u64::BITS);
    below.chain(right).chain(left.into_iter().rev().map(|node| vec![node])).collect()
}

/// PROOF(`first`, D\[`second`\]) of RFC 9162 §2.1.4.1. `first` is positive and less than `second`.
pub fn consistency(first: u64, second: u64) -> Vec<Element> {
    let height = first.trailing_zeros();
    let last = Node { height, index: (first >> height) - 1 };
    // A verifier has the root of the first tree. If that tree is one complete subtree, the proof need not repeat it.
    let known = first.is_power_of_two();
    (!known).then(|| vec![last]).into_iter().chain(path(last, second)).collect()
}
