//! Proofs that lead to the root of the whole tree, which the caller knows.
//!
//! Disks flip bits. A root that was computed from a damaged hash would be signed, and the log would contradict itself. So
//! each proof is checked before anybody gets it.

use super::{
    frontier::Frontier,
    hash::{EMPTY_ROOT, Hash},
    nodes::{self, Element, Node},
    prove::{self, HashRange, ProveError, between, subtrees},
    size, verify,
};

/// The whole tree, as the head of its log says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    pub size: u64,
    pub root: Hash,
}

/// An inclusion path, and the root to which it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    pub path: Vec<Hash>,
    pub root: Hash,
}

/// A consistency proof, and the roots that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consistency {
    pub hashes: Vec<Hash>,
    pub first_root: Hash,
    pub second_root: Hash,
}

type Found<T, E> = Result<T, ProveError<E>>;

/// `read` is as in [`prove::inclusion`], for at most 32 ranges.
impl Whole {
    /// The root of the tree when it had `size` leaves.
    pub fn root_at<E>(
        &self,
        size: u64,
        read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
    ) -> Found<Hash, E> {
        Ok(self.prove(Vec::new(), [size], read)?.1[0])
    }

    /// The proof that this leaf is in the tree of `size` leaves.
    pub fn inclusion<E>(
        &self,
        (index, leaf): (u64, Hash),
        size: u64,
        read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
    ) -> Found<Inclusion, E> {
        if index >= size {
            return Err(ProveError::NoLeaf { index, size });
        }
        let (path, [root]) = self.prove(nodes::path(Node { height: 0, index }, size), [size], read)?;
        verify::inclusion(index, size, leaf, &path, root).map_err(|_| ProveError::Damaged)?;
        Ok(Inclusion { path, root })
    }

    /// The proof that the tree of `second` leaves begins with the tree of `first` leaves.
    pub fn consistency<E>(
        &self,
        first: u64,
        second: u64,
        read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
    ) -> Found<Consistency, E> {
        if first > second {
            return Err(ProveError::NotLarger { first, second });
        }
        let (hashes, [first_root, second_root]) = self.prove(between(first, second), [first, second], read)?;
        verify::consistency(first, second, &hashes, first_root, second_root).map_err(|_| ProveError::Damaged)?;
        Ok(Consistency { hashes, first_root, second_root })
    }

    /// The hashes of these elements, and the roots of the trees of these sizes, each of which the whole begins with.
    fn prove<E, const N: usize>(
        &self,
        own: Vec<Element>,
        sizes: [u64; N],
        read: impl FnOnce(&[HashRange]) -> Result<Vec<Vec<Hash>>, E>,
    ) -> Found<(Vec<Hash>, [Hash; N]), E> {
        size::sum(self.size, 0)?;
        let mut elements = own;
        let own = elements.len();
        for size in sizes {
            if size > self.size {
                return Err(ProveError::NotLarger { first: size, second: self.size });
            }
            elements.extend(subtrees(size));
            elements.extend(between(size, self.size));
        }
        let mut hashes = prove::hashes(&elements, read)?.into_iter();
        let own = hashes.by_ref().take(own).collect();
        let mut roots = [EMPTY_ROOT; N];
        for (root, size) in roots.iter_mut().zip(sizes) {
            let frontier: Vec<Hash> = hashes.by_ref().take(subtrees(size).len()).collect();
            let proof: Vec<Hash> = hashes.by_ref().take(between(size, self.size).len()).collect();
            *root = Frontier::of(size, frontier).root();
            verify::consistency(size, self.size, &proof, *root, self.root).map_err(|_| ProveError::Damaged)?;
        }
        Ok((own, roots))
    }
}
