//! Verifies a chain: all receipts of a workspace in order, and then its head.

mod read;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, io::BufRead};

use crate::{
    HEAD, RECEIPT,
    chain::read::{Line, Link, link_of_head},
    keys::Keys,
};

/// A chain that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub workspace_id: String,
    pub receipts: i64,
    /// When the head was signed.
    pub head_at: String,
}

/// A chain of which the first lines are verified.
struct Chain<'k> {
    keys: &'k Keys,
    workspace: Option<String>,
    last: Link,
    head_at: Option<String>,
    /// What earlier heads say, by their sequence.
    seen: BTreeMap<i64, Option<String>>,
}

/// Verifies lines of JSON, one receipt each, and the head as the last. `seen` are heads that were fetched earlier: the
/// chain must go through each. The error names the line.
pub fn verify(lines: impl BufRead, keys: &Keys, seen: &[Vec<u8>]) -> Result<Verified, String> {
    let mut chain = Chain { keys, workspace: None, last: Link::START, head_at: None, seen: BTreeMap::new() };
    for (at, head) in seen.iter().enumerate() {
        chain.expect(head).map_err(|rule| format!("earlier head {}: {rule}", at + 1))?;
    }
    for (at, line) in lines.split(b'\n').enumerate() {
        let taken = line.map_err(|error| error.to_string()).and_then(|line| chain.take(&line));
        taken.map_err(|rule| format!("line {}: {rule}", at + 1))?;
    }
    chain.end()
}

impl Chain<'_> {
    fn expect(&mut self, head: &[u8]) -> Result<(), String> {
        let line = Line::read(head, self.keys)?;
        if line.kind()? != HEAD {
            return Err("is not a head".to_owned());
        }
        self.same_workspace(&line)?;
        let Link { sequence, sha256 } = link_of_head(&line)?;
        // Two heads of one length must name one receipt, whatever the chain says.
        match self.seen.insert(sequence, sha256.clone()) {
            Some(other) if other != sha256 => Err("contradicts another earlier head".to_owned()),
            _ => Ok(()),
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), String> {
        if self.head_at.is_some() {
            return Err("comes after the head, which is the last line".to_owned());
        }
        // The signature first: nothing of a line counts before it holds.
        let line = Line::read(line, self.keys)?;
        self.same_workspace(&line)?;
        match line.kind()? {
            RECEIPT => self.take_receipt(&line),
            HEAD => self.take_head(&line),
            _ => Err("is neither a receipt nor a head".to_owned()),
        }
    }

    fn take_receipt(&mut self, line: &Line) -> Result<(), String> {
        let (sequence, expected) = (line.sequence()?, self.last.sequence + 1);
        if sequence != expected {
            return Err(format!("is receipt {sequence}, but receipt {expected} comes here"));
        }
        // Anyone with the key can sign a sequence number. The hash also binds all earlier receipts.
        if line.optional("previous")? != self.last.sha256.as_deref() {
            return Err("does not name the hash of the receipt before".to_owned());
        }
        self.last = Link { sequence, sha256: Some(line.sha256.clone()) };
        self.check_seen()
    }

    fn take_head(&mut self, line: &Line) -> Result<(), String> {
        let head = link_of_head(line)?;
        if head.sequence != self.last.sequence {
            let (named, last) = (head.sequence, self.last.sequence);
            return Err(format!("the head names {named} as the last receipt, but the last here is {last}"));
        }
        if head != self.last {
            return Err("the head names another last receipt".to_owned());
        }
        self.check_seen()?;
        self.head_at = Some(line.text("at")?.to_owned());
        Ok(())
    }

    // Someone with the keys could sign another history. An earlier head exposes it.
    fn check_seen(&self) -> Result<(), String> {
        match self.seen.get(&self.last.sequence) {
            Some(sha256) if *sha256 != self.last.sha256 => Err("an earlier head names another receipt here".to_owned()),
            _ => Ok(()),
        }
    }

    fn same_workspace(&mut self, line: &Line) -> Result<(), String> {
        let workspace = line.text("workspace_id")?;
        match &self.workspace {
            Some(known) if known != workspace => Err(format!("is of another workspace than {known}")),
            Some(_) => Ok(()),
            None => {
                self.workspace = Some(workspace.to_owned());
                Ok(())
            }
        }
    }

    fn end(self) -> Result<Verified, String> {
        let Self { workspace, last, head_at, seen, .. } = self;
        // Without a head, nobody can tell whether receipts are missing at the end.
        let (Some(workspace_id), Some(head_at)) = (workspace, head_at) else {
            return Err("the head is missing, which is the last line".to_owned());
        };
        match seen.last_key_value() {
            Some((later, _)) if *later > last.sequence => {
                Err(format!("an earlier head names {later} receipts, and here are {}", last.sequence))
            }
            _ => Ok(Verified { workspace_id, receipts: last.sequence, head_at }),
        }
    }
}
