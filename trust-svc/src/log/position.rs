//! The position of an entry in the log, with its proof. A publisher gets it now, and each time it asks again.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use shared_model::Failure;
use shared_runtime::Conn;
use trust_log::{
    merkle::{Hash, Inclusion},
    tlog::{Checkpoint, NoteSigner, Receipt, SignedCheckpoint},
};
use utoipa::ToSchema;

use super::proven;
use crate::column::TreeHash;

/// The log when it had `size` entries.
#[derive(Debug)]
pub struct LogTree {
    size: u64,
    root: Hash,
    // Ed25519 is deterministic (RFC 8032): signing the same text again gives the same signature. So checkpoints need no
    // table, and the receipt of a repeated request equals the first one.
    signed: OnceLock<SignedCheckpoint>,
}

/// The position of an entry, with its inclusion path in `tree`.
#[derive(Clone, Debug)]
pub struct LogPosition {
    index: u64,
    leaf_hash: Hash,
    path: Vec<Hash>,
    tree: Arc<LogTree>,
}

/// The checkpoint of a log with one entry.
pub fn example_checkpoint() -> &'static str {
    "trust.example.com/wp-json/service-trust/v1/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\
     — trust.example.com/wp-json/service-trust/v1/log 5YpFa0lN5iZkvCZfsdh0F4uVJZfZIzFHrWnEk7yDEwzmZAAA4aGtlNGBtRjYJxEg\
     ExCNPRrKCk1T0/kuMnQFVrFWTAk=\n"
}

/// The position of an entry in the log, and its proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LogProof {
    /// The index of the entry. Indexes start at 0 and have no gaps.
    #[schema(minimum = 0, maximum = 9_223_372_036_854_775_807_u64, example = 0)]
    pub index: u64,
    /// The size of the log right after the entry was appended. The proof is for this size.
    #[schema(minimum = 1, maximum = 9_223_372_036_854_775_807_u64, example = 1)]
    pub tree_size: u64,
    /// The root of the log's tree at that size.
    pub root_hash: TreeHash,
    /// The hash of the entry as a leaf: SHA-256 of a zero byte and the entry's canonical JSON.
    pub leaf_hash: TreeHash,
    /// The inclusion path (RFC 9162, 2.1.3.1), from the leaf's sibling upwards.
    #[schema(max_items = 63)]
    pub inclusion_path: Vec<TreeHash>,
    /// The log's signed checkpoint of that size (c2sp.org/tlog-checkpoint).
    #[schema(example = example_checkpoint)]
    pub checkpoint: String,
}

impl LogTree {
    pub fn new(size: u64, root: Hash) -> Self {
        Self { size, root, signed: OnceLock::new() }
    }

    pub fn checkpoint(&self, signer: &NoteSigner) -> Result<&SignedCheckpoint, Failure> {
        if let Some(signed) = self.signed.get() {
            return Ok(signed);
        }
        let checkpoint = Checkpoint::new(signer.verifier_key().name(), self.size, self.root);
        let signed = checkpoint.sign(signer).map_err(|malformed| Failure::fault(malformed.to_string()))?;
        Ok(self.signed.get_or_init(|| signed))
    }
}

impl LogPosition {
    pub fn new(index: u64, leaf_hash: Hash, path: Vec<Hash>, tree: Arc<LogTree>) -> Self {
        Self { index, leaf_hash, path, tree }
    }

    /// The position of an entry in the log of `size` entries, from the stored tree.
    pub fn find(conn: &mut Conn, index: u64, leaf_hash: Hash, size: u64) -> Result<Self, Failure> {
        let Inclusion { path, root } = proven::inclusion(conn, index, leaf_hash, size)?;
        Ok(Self::new(index, leaf_hash, path, Arc::new(LogTree::new(size, root))))
    }

    pub fn index(&self) -> u64 {
        self.index
    }

    pub fn leaf_hash(&self) -> Hash {
        self.leaf_hash
    }

    pub fn tree_size(&self) -> u64 {
        self.tree.size
    }

    /// The proof, and the receipt: the same proof as one text (c2sp.org/tlog-proof).
    pub fn prove(&self, signer: &NoteSigner) -> Result<(LogProof, String), Failure> {
        let signed = self.tree.checkpoint(signer)?;
        let proof = LogProof {
            index: self.index,
            tree_size: self.tree.size,
            root_hash: TreeHash(self.tree.root),
            leaf_hash: TreeHash(self.leaf_hash),
            inclusion_path: self.path.iter().copied().map(TreeHash).collect(),
            checkpoint: signed.to_string(),
        };
        let receipt = Receipt::new(self.index, self.path.clone(), signed.clone());
        Ok((proof, receipt.to_string()))
    }
}
