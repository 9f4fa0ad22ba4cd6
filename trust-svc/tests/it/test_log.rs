//! A log in memory, as a witness or an auditor sees it.

use ed25519_dalek::SigningKey;
use trust_log::{
    merkle::{Frontier, Hash, HashRange, leaf_hash, prove},
    tlog::{Checkpoint, NoteSigner, SignedCheckpoint, VerifierKey, witness::AddCheckpoint},
};

/// A log that keeps its entries in memory.
pub struct TestLog {
    pub entries: Vec<Vec<u8>>,
    signer: NoteSigner,
}

impl TestLog {
    /// An empty log with this name; each name has its own key.
    pub fn new(name: &str) -> Self {
        Self::with_key_like(name, 7)
    }

    /// An empty log with this name, and another key than the first log of this name.
    pub fn with_another_key(name: &str) -> Self {
        Self::with_key_like(name, 8)
    }

    fn with_key_like(name: &str, filler: u8) -> Self {
        let mut seed = [filler; 32];
        seed.iter_mut().zip(name.bytes()).for_each(|(seed, byte)| *seed = byte);
        let name = name.parse().expect("a name");
        Self { entries: Vec::new(), signer: NoteSigner::new(name, SigningKey::from_bytes(&seed)) }
    }

    /// With this number of entries, which contain this word.
    pub fn with(mut self, size: usize, word: &str) -> Self {
        self.grow(size, word);
        self
    }

    /// Grows to this size; the new entries contain this word.
    pub fn grow(&mut self, size: usize, word: &str) {
        let from = self.entries.len();
        self.entries.extend((from..size).map(|index| format!("{word} {index}").into_bytes()));
    }

    pub fn key(&self) -> &VerifierKey {
        self.signer.verifier_key()
    }

    /// Its root at this size.
    pub fn root(&self, size: usize) -> Hash {
        let mut frontier = Frontier::default();
        self.entries[..size].iter().for_each(|entry| frontier.push(leaf_hash(entry)).expect("it fits"));
        frontier.root()
    }

    /// Its checkpoint at this size.
    pub fn checkpoint(&self, size: usize) -> SignedCheckpoint {
        self.sign(size, self.root(size))
    }

    /// Its signature on any size and root.
    pub fn sign(&self, size: usize, root: Hash) -> SignedCheckpoint {
        Checkpoint::new(self.key().name(), size as u64, root).sign(&self.signer).expect("a checkpoint")
    }

    /// That the tree of `second` entries begins with that of `first`.
    pub fn consistency(&self, first: u64, second: u64) -> Vec<Hash> {
        let read = |ranges: &[HashRange]| Ok::<_, String>(ranges.iter().map(|range| self.hashes(*range)).collect());
        prove::consistency(first, second, read).expect("a proof")
    }

    /// Hashes of one row.
    pub fn hashes(&self, HashRange { level, start, count }: HashRange) -> Vec<Hash> {
        let (from, to) = (start as usize, (start + count) as usize);
        if level == 0 {
            return self.entries[from..to].iter().map(|entry| leaf_hash(entry)).collect();
        }
        let mut row: Vec<_> = self.entries.iter().map(|entry| leaf_hash(entry)).collect();
        for _ in 0..level {
            let root = |tile: &[Hash]| {
                let mut frontier = Frontier::default();
                tile.iter().for_each(|hash| frontier.push(*hash).expect("it fits"));
                frontier.root()
            };
            row = row.chunks_exact(256).map(root).collect();
        }
        row[from..to].to_vec()
    }

    /// The request to a witness that has cosigned the tree of `old` entries.
    pub fn request(&self, old: usize, size: usize) -> AddCheckpoint {
        AddCheckpoint {
            old_size: old as u64,
            consistency: self.consistency(old as u64, size as u64),
            checkpoint: self.checkpoint(size),
        }
    }
}
