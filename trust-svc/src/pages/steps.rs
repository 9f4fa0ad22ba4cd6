//! An inclusion path, one hash after the other (RFC 9162, 2.1.3.2).

use trust_log::merkle::{Hash, node_hash};

pub struct Step {
    pub sibling: Hash,
    /// Whether the sibling is the left one of the two that are hashed.
    pub is_left: bool,
    pub result: Hash,
}

/// From the hash of the entry up. The last result is the root of the log of that size, if the path is right.
pub fn steps(index: u64, size: u64, leaf: Hash, path: impl IntoIterator<Item = Hash>) -> Vec<Step> {
    let (mut node, mut last, mut result) = (index, size.saturating_sub(1), leaf);
    let step = |sibling: Hash| {
        let is_left = node % 2 == 1 || node == last;
        if is_left {
            result = node_hash(&sibling, &result);
            // At the right edge of the tree an entry has no sibling on some levels.
            while node.is_multiple_of(2) && node != 0 {
                (node, last) = (node / 2, last / 2);
            }
        } else {
            result = node_hash(&result, &sibling);
        }
        (node, last) = (node / 2, last / 2);
        Step { sibling, is_left, result }
    };
    path.into_iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use trust_log::merkle::{Frontier, append, leaf_hash};

    use super::*;

    #[test]
    fn the_steps_of_every_entry_lead_to_the_root() {
        for size in 1..=33_u64 {
            let leaves: Vec<Hash> = (0..size).map(|index| leaf_hash(&index.to_be_bytes())).collect();
            let tree = append(&Frontier::default(), &leaves).expect("a small log");
            for (index, path) in (0_u64..).zip(tree.inclusion_paths()) {
                let leaf = leaf_hash(&index.to_be_bytes());
                let steps = steps(index, size, leaf, path);
                let root = steps.last().map_or(leaf, |step| step.result);
                assert!(root == tree.root(), "entry {index} of {size}");
            }
        }
    }
}
