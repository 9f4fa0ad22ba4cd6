//! Judges what answers say about the log, with its key and nothing else that the service claims.

use std::collections::BTreeMap;

use serde_json::Value;
use trust_log::{
    canonical,
    merkle::{Frontier, Hash, leaf_hash, verify},
    tlog::{Policy, Receipt, SignedCheckpoint, Tile, bundle, verify_checkpoint, verify_receipt},
};

/// What was expected in the place of an answer.
pub type Instead = Vec<&'static str>;

#[derive(Clone, Debug, PartialEq)]
pub struct LogJudge {
    /// As the service serves it.
    pub key: String,
    policy: Policy,
    /// The roots that answers have named, by the size of the log.
    roots: BTreeMap<u64, Hash>,
    /// Of the entries that were read at the end.
    leaves: Vec<Hash>,
}

fn hash(text: &Value) -> Result<Hash, Instead> {
    text.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| vec!["a hash"])
}

fn hashes(list: &Value) -> Result<Vec<Hash>, Instead> {
    list.as_array().into_iter().flatten().map(hash).collect()
}

fn leaf_of(entry: &Value) -> Hash {
    leaf_hash(canonical::value_text(entry).as_bytes())
}

impl LogJudge {
    pub fn new(key: String) -> Self {
        let parsed = key.trim_end().parse().expect("a key");
        let policy = Policy::new(parsed, Vec::new(), 0).expect("the key of a log");
        Self { key, policy, roots: BTreeMap::new(), leaves: Vec::new() }
    }

    /// No two answers may name different roots for one size.
    fn saw(&mut self, size: u64, root: Hash) -> Result<(), Instead> {
        let known = *self.roots.entry(size).or_insert(root);
        if known == root { Ok(()) } else { Err(vec!["the root that another answer has named"]) }
    }

    pub fn root(&mut self, size: &Value, root: &Value) -> Result<(), Instead> {
        self.saw(size.as_u64().ok_or_else(|| vec!["a size"])?, hash(root)?)
    }

    /// The hash tile of the first entry: alone that entry is the whole tree.
    pub fn first_tile(&mut self, digits: &Value) -> Result<(), Instead> {
        let root = digits.as_str().and_then(|digits| Hash::from_hex(digits).ok());
        self.saw(1, root.ok_or_else(|| vec!["one hash"])?)
    }

    /// The receipt of this published body, which is at this place of the log.
    pub fn receipt(&mut self, receipt: &Value, entry: &Value, index: usize) -> Result<(), Instead> {
        let instead = || vec!["a receipt that proves the event at its place"];
        let receipt = Receipt::parse(receipt.as_str().unwrap_or_default().as_bytes()).map_err(|_| instead())?;
        let entry = canonical::value_text(entry);
        let proven = verify_receipt(&receipt, entry.as_bytes(), &self.policy).map_err(|_| instead())?;
        if proven.index != index as u64 {
            return Err(instead());
        }
        let (size, root) = (proven.checkpoint.size(), proven.checkpoint.root());
        self.saw(size, root)
    }

    /// The size of a signed checkpoint.
    pub fn checkpoint(&mut self, note: &Value) -> Result<u64, Instead> {
        let instead = || vec!["a checkpoint that the log has signed"];
        let signed = SignedCheckpoint::parse(note.as_str().unwrap_or_default().as_bytes()).map_err(|_| instead())?;
        verify_checkpoint(&signed, &self.policy).map_err(|_| instead())?;
        let checkpoint = signed.checkpoint();
        self.saw(checkpoint.size(), checkpoint.root())?;
        Ok(checkpoint.size())
    }

    /// `entry` is the body that was published at this place, if one was.
    pub fn inclusion(
        &mut self,
        proof: &Value,
        index: usize,
        size: usize,
        entry: Option<&Value>,
    ) -> Result<(), Instead> {
        let (leaf, root, path) = (hash(&proof["leaf_hash"])?, hash(&proof["root_hash"])?, hashes(&proof["hashes"])?);
        let is_proven = verify::inclusion(index as u64, size as u64, leaf, &path, root).is_ok();
        if !is_proven || entry.is_some_and(|entry| leaf_of(entry) != leaf) {
            return Err(vec!["a proof of inclusion"]);
        }
        self.saw(size as u64, root)
    }

    pub fn consistency(&mut self, proof: &Value, first: u64, second: u64) -> Result<(), Instead> {
        let roots = (hash(&proof["first_root_hash"])?, hash(&proof["second_root_hash"])?);
        let is_proven = verify::consistency(first, second, &hashes(&proof["hashes"])?, roots.0, roots.1).is_ok();
        if !is_proven {
            return Err(vec!["a proof of consistency"]);
        }
        self.saw(first, roots.0)?;
        self.saw(second, roots.1)
    }

    /// Reads the entries of a tile, which follow those of the tiles before.
    pub fn entries(&mut self, tile: Tile, digits: &Value) -> Result<(), Instead> {
        let bytes = digits.as_str().and_then(|digits| hex::decode(digits).ok()).unwrap_or_default();
        let entries = bundle::decode(&bytes, tile.width()).map_err(|_| vec!["as many entries as the tile is wide"])?;
        self.leaves.extend(entries.into_iter().map(leaf_hash));
        Ok(())
    }

    /// The hashes of entries that were read.
    pub fn hashes_of(&self, tile: Tile) -> String {
        let start = usize::try_from(tile.range().start).expect("a small log");
        self.leaves.iter().skip(start).take(usize::from(tile.width())).map(|leaf| format!("{leaf:x}")).collect()
    }

    /// Whether the entries that were read have these published bodies at their places, and all roots that were named.
    pub fn is_whole<'e>(
        &self,
        size: usize,
        published: impl Iterator<Item = (usize, &'e Value)>,
    ) -> Result<(), Instead> {
        if self.leaves.len() != size {
            return Err(vec!["entries for all events and all changes of signers"]);
        }
        for (index, entry) in published {
            if self.leaves.get(index) != Some(&leaf_of(entry)) {
                return Err(vec!["each event at its place in the log"]);
            }
        }
        let mut tree = Frontier::default();
        let mut computed = BTreeMap::from([(tree.size(), tree.root())]);
        for leaf in &self.leaves {
            tree.push(*leaf).expect("a small log");
            computed.insert(tree.size(), tree.root());
        }
        let is_named = self.roots.iter().all(|(size, root)| computed.get(size) == Some(root));
        if is_named { Ok(()) } else { Err(vec!["the roots that follow from the entries"]) }
    }
}
