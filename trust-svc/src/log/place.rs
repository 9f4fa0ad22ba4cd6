//! The place of an entry in the log, with the proof: what a publisher is answered, then and whenever it asks again.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use shared_model::Failure;
use shared_runtime::Conn;
use utoipa::ToSchema;

use super::store;
use crate::{
    merkle::{Hash, prove},
    tlog::{Checkpoint, NoteSigner, Receipt, SignedCheckpoint},
};

/// The log when it had so many entries. Its checkpoint is signed once, however many ask for it: the same text has the
/// same signature (RFC 8032), so that none needs to be stored.
#[derive(Debug)]
pub struct Tree {
    size: u64,
    root: Hash,
    signed: OnceLock<SignedCheckpoint>,
}

/// The place of an entry in a tree.
#[derive(Clone, Debug)]
pub struct Place {
    index: u64,
    leaf_hash: Hash,
    path: Vec<Hash>,
    tree: Arc<Tree>,
}

/// The checkpoint that the OpenAPI document shows: that of a log with one entry.
pub fn example() -> &'static str {
    "trust.example.com/wp-json/service-trust/v1/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\
     — trust.example.com/wp-json/service-trust/v1/log 5YpFa0lN5iZkvCZfsdh0F4uVJZfZIzFHrWnEk7yDEwzmZAAA4aGtlNGBtRjYJxEg\
     ExCNPRrKCk1T0/kuMnQFVrFWTAk=\n"
}

/// Where an entry stands in the log, and the proof of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShownPlace {
    /// Its index, counted from 0 without gaps.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 0)]
    pub index: u64,
    /// The size of the log that the proof is for: it was that after the batch that appended the entry.
    #[schema(minimum = 1, maximum = 9_223_372_036_854_775_807_u64, example = 1)]
    pub tree_size: u64,
    /// The root of the log's tree at that size.
    pub root_hash: Hash,
    /// The hash of the entry as a leaf: SHA-256 of a zero byte and its canonical JSON.
    pub leaf_hash: Hash,
    /// The inclusion path (RFC 9162, 2.1.3.1), from the leaf's sibling upwards.
    #[schema(max_items = 63)]
    pub inclusion_path: Vec<Hash>,
    /// The log's signed checkpoint of that size (c2sp.org/tlog-checkpoint).
    #[schema(example = example)]
    pub checkpoint: String,
}

impl Tree {
    /// The tree of this size and root.
    pub fn new(size: u64, root: Hash) -> Self {
        Self { size, root, signed: OnceLock::new() }
    }

    /// How many entries it has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Its checkpoint, signed by the log.
    pub fn checkpoint(&self, signer: &NoteSigner) -> Result<&SignedCheckpoint, Failure> {
        if let Some(signed) = self.signed.get() {
            return Ok(signed);
        }
        let checkpoint = Checkpoint::new(signer.verifier_key().name(), self.size, self.root);
        let signed = checkpoint.sign(signer).map_err(|malformed| Failure::fault(malformed.to_string()))?;
        Ok(self.signed.get_or_init(|| signed))
    }
}

impl Place {
    /// The place at `index` of a leaf of this hash, with its inclusion path in `tree`.
    pub fn new(index: u64, leaf_hash: Hash, path: Vec<Hash>, tree: Arc<Tree>) -> Self {
        Self { index, leaf_hash, path, tree }
    }

    /// The place at `index` of a leaf of this hash, in the tree of `size` entries, from what is stored.
    pub fn find(conn: &mut Conn, index: u64, leaf_hash: Hash, size: u64) -> Result<Self, Failure> {
        let path = prove::inclusion(index, size, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?;
        let frontier = prove::frontier(size, |ranges| store::hashes(conn, ranges)).map_err(store::unproven)?;
        Ok(Self::new(index, leaf_hash, path, Arc::new(Tree::new(size, frontier.root()))))
    }

    /// The index of the entry.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The size of the tree.
    pub fn tree_size(&self) -> u64 {
        self.tree.size()
    }

    /// As it is answered, and the receipt that says the same in one text (c2sp.org/tlog-proof).
    pub fn shown(&self, signer: &NoteSigner) -> Result<(ShownPlace, String), Failure> {
        let signed = self.tree.checkpoint(signer)?;
        let shown = ShownPlace {
            index: self.index,
            tree_size: self.tree.size,
            root_hash: self.tree.root,
            leaf_hash: self.leaf_hash,
            inclusion_path: self.path.clone(),
            checkpoint: signed.to_string(),
        };
        let receipt = Receipt::new(self.index, self.path.clone(), signed.clone());
        Ok((shown, receipt.to_string()))
    }
}
