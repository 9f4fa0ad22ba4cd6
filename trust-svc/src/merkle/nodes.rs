//! Of which nodes a proof consists.

/// The root of the complete subtree of the leaves from `index` × 2^`height` on, 2^`height` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub height: u32,
    pub index: u64,
}

/// One hash of a proof: that of complete subtrees side by side, each smaller than the one before. Mostly it is one;
/// what lies right of a path, at the end of the tree, may be many.
pub type Element = Vec<Node>;

/// The complete subtrees that the last `size` mod 2^`below` leaves of a tree of `size` leaves consist of.
pub fn edge(size: u64, below: u32) -> Element {
    let is_set = |height: &u32| (size >> height) & 1 == 1;
    (0..below).rev().filter(is_set).map(|height| Node { height, index: (size >> height) - 1 }).collect()
}

/// The siblings of a complete node and of all above it, up to the root of the tree of `size` leaves, from below.
pub fn path(node: Node, size: u64) -> Vec<Element> {
    let Node { height, index } = node;
    // The node and the end of the tree go up side by side, and meet below the highest bit in which they differ.
    let meet = (index ^ (size >> height)).ilog2() + height;
    let below = (height..meet).map(|at| vec![Node { height: at, index: (index >> (at - height)) ^ 1 }]);
    let right = Some(edge(size, meet)).filter(|edge| !edge.is_empty());
    // From there on only the end of the tree goes up: it has siblings on its left.
    let left = edge(size & !((2 << meet) - 1), u64::BITS);
    below.chain(right).chain(left.into_iter().rev().map(|node| vec![node])).collect()
}

/// PROOF(`first`, D\[`second`\]) of RFC 9162 §2.1.4.1; `first` is positive and less than `second`.
pub fn consistency(first: u64, second: u64) -> Vec<Element> {
    let height = first.trailing_zeros();
    let last = Node { height, index: (first >> height) - 1 };
    // Whoever checks the proof knows the whole first tree's root already.
    let known = first.is_power_of_two();
    (!known).then(|| vec![last]).into_iter().chain(path(last, second)).collect()
}
