//! Reads of the log, each of which is held to what the log has said before.

use serde_json::{Value, json};
use shared_testing::histories::{Command, Expected, Seen};
use trust_log::tlog::{Tile, tile::Content};

use super::{PREFIX, Refused, Trust, Turn};

/// The data of an answer.
fn data(seen: Seen<'_>) -> Option<&Value> {
    seen.answer.map(|answer| &answer["data"])
}

impl Trust {
    /// The log has each event and each change of a signer once.
    fn check_size(&mut self, seen: Seen<'_>) -> Result<(), Refused> {
        let Some(note) = seen.answer else { return Ok(()) };
        let size = self.judge.checkpoint(note)?;
        if size == self.entries() as u64 { Ok(()) } else { Err(vec!["another size"]) }
    }

    /// The log has no proofs for a size that it has not reached.
    fn has_reached(&self, size: usize) -> Result<(), Refused> {
        if size <= self.entries() { Ok(()) } else { Err(vec!["invalid_field"]) }
    }
}

pub fn checkpoint() -> Command<Trust> {
    Command::get("read_checkpoint", "anyone", format!("{PREFIX}/log/checkpoint")).does(|trust: &mut Trust, seen| {
        trust.check_size(seen)?;
        Ok::<_, Refused>(json!("*"))
    })
}

pub fn prove_inclusion(turn: &mut Turn<'_>) -> Option<Command<Trust>> {
    let (index, size) = (turn.event()?.index, turn.trust.entries());
    let path = format!("{PREFIX}/log/proof/inclusion?index={index}&tree_size={size}");
    Some(Command::get("prove_inclusion", "anyone", path).does(move |trust: &mut Trust, seen| {
        trust.has_reached(size)?;
        if let Some(proof) = data(seen) {
            let entry = trust.events.iter().find(|event| event.index == index).map(|event| &event.sent);
            trust.judge.inclusion(proof, index, size, entry)?;
        }
        Ok::<_, Refused>(json!({"data": {"index": index, "tree_size": size}}))
    }))
}

pub fn prove_consistency(turn: &mut Turn<'_>) -> Option<Command<Trust>> {
    let second = turn.trust.entries();
    let first = 1 + turn.dice.below(second as u64);
    let path = format!("{PREFIX}/log/proof/consistency?first={first}&second={second}");
    Some(Command::get("prove_consistency", "anyone", path).does(move |trust: &mut Trust, seen| {
        trust.has_reached(second)?;
        if let Some(proof) = data(seen) {
            trust.judge.consistency(proof, first, second as u64)?;
        }
        Ok::<_, Refused>(json!({"data": {"first": first, "second": second}}))
    }))
}

pub fn first_tile() -> Command<Trust> {
    let command = Command::get("read_tile", "anyone", format!("{PREFIX}/log/tile/0/000.p/1"));
    command.binary().does(|trust: &mut Trust, seen| {
        if let Some(digits) = seen.answer {
            trust.judge.first_tile(digits)?;
        }
        Ok::<_, Refused>(json!("*"))
    })
}

pub fn key_of_log() -> Command<Trust> {
    let command = Command::get("read_log_key", "anyone", format!("{PREFIX}/log/key"));
    command.does(|trust: &mut Trust, _| Expected::success(json!(trust.judge.key)))
}

/// What each process has checked when it began.
pub fn audit() -> Command<Trust> {
    Command::get("read_audit", "anyone", format!("{PREFIX}/log/audit")).does(|trust: &mut Trust, seen| {
        if let Some(audit) = data(seen) {
            trust.judge.root(&audit["to_size"], &audit["root_hash"])?;
        }
        Ok::<_, Refused>(json!({"data": {"result": "intact", "damage": null}}))
    })
}

/// Reads all entries and their hashes, and then whether they have the root of the checkpoint, and all that was named.
pub fn whole(trust: &Trust) -> Vec<Command<Trust>> {
    let size = trust.entries() as u64;
    let tiles = |content| (0..).map_while(move |index| Tile::at(content, index, size));
    let entries = tiles(Content::Entries).map(entries_of);
    entries.chain(tiles(Content::Hashes(0)).map(hashes_of)).chain([whole_log()]).collect()
}

fn entries_of(tile: Tile) -> Command<Trust> {
    Command::get("read_tile", "anyone", format!("{PREFIX}/log/{tile}")).binary().does(move |trust: &mut Trust, seen| {
        if let Some(digits) = seen.answer {
            trust.judge.entries(tile, digits)?;
        }
        Ok::<_, Refused>(json!("*"))
    })
}

fn hashes_of(tile: Tile) -> Command<Trust> {
    let command = Command::get("read_tile", "anyone", format!("{PREFIX}/log/{tile}")).binary();
    command.does(move |trust: &mut Trust, _| Expected::success(json!(trust.judge.hashes_of(tile))))
}

fn whole_log() -> Command<Trust> {
    Command::get("read_checkpoint", "anyone", format!("{PREFIX}/log/checkpoint")).does(|trust: &mut Trust, seen| {
        trust.check_size(seen)?;
        let published = trust.events.iter().map(|event| (event.index, &event.sent));
        trust.judge.is_whole(trust.entries(), published)?;
        Ok::<_, Refused>(json!("*"))
    })
}
