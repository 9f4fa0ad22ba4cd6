//! The edits that turn a document into what a person made of its Markdown.

use std::slice;

use serde_json::{Value, json};
use shared_model::{Failure, Problem};
use similar::{Algorithm, DiffOp};

use super::{
    merge::{Merged, merged},
    of_others::Replaced,
};
use cloud_content::{
    difference,
    documents::{
        content::{DocumentContent, DocumentKind, block::Block},
        markdown::{read, write},
    },
};

// Blocks with more lines are not merged by lines: a document may have many of them, and each takes time.
const LINES: usize = 200;

/// What a person made of a document, as edits of the newest one.
pub struct DocumentEdits {
    pub operations: Vec<Value>,
    /// The blocks of others that they replace or delete, as Markdown.
    pub replaced: Vec<Replaced>,
}

/// Edits of blocks, and only of those that differ: the others keep their ids, and with them their comments. What others
/// wrote after `base` stays where it can: `newest` has it, or is the same as `base`. `Err` lists what a document cannot
/// have.
pub fn edits(
    base: &DocumentContent,
    newest: &DocumentContent,
    markdown: &str,
) -> Result<Result<DocumentEdits, Vec<Problem>>, Failure> {
    let edited = match read::read(markdown) {
        Ok(read) => read.content.blocks,
        Err(problems) => return Ok(Err(problems)),
    };
    let (old, new) = (keys(&as_read(base))?, keys(&edited)?);
    let (mut edits, mut gone) = (Edits::new(&base.blocks, &newest.blocks), Vec::new());
    for difference in difference::edits(Algorithm::Patience, &old, &new, None) {
        match difference {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => gone.extend(old_index..old_index + old_len),
            DiffOp::Insert { old_index, new_index, new_len } => {
                edits.insert(old_index, &edited[new_index..new_index + new_len]);
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let both = old_len.min(new_len);
                for index in 0..both {
                    edits.replace(old_index + index, &edited[new_index + index]);
                }
                gone.extend(old_index + both..old_index + old_len);
                if new_len > both {
                    edits.insert(old_index + both, &edited[new_index + both..new_index + new_len]);
                }
            }
        }
    }
    // Last, because an insertion names the block before it.
    gone.into_iter().for_each(|index| edits.delete(index));
    let operations = edits.made.iter().map(|edit| edits.operation(edit)).collect::<Result<_, Failure>>()?;
    Ok(Ok(DocumentEdits { operations, replaced: edits.replaced }))
}

struct Edits<'e> {
    base: &'e [Block],
    newest: &'e [Block],
    /// Where each block of the base is among the newest; `None` if others have deleted it.
    places: Vec<Option<usize>>,
    made: Vec<Edit>,
    replaced: Vec<Replaced>,
}

/// An edit of the newest blocks, which it names by their indices.
enum Edit {
    Replace(usize, Block),
    Insert(Anchor, Vec<Block>),
    Delete(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Anchor {
    After(usize),
    Before(usize),
}

impl<'e> Edits<'e> {
    fn new(base: &'e [Block], newest: &'e [Block]) -> Self {
        let place = |block: &Block| newest.iter().position(|other| other.id == block.id);
        Self { base, newest, places: base.iter().map(place).collect(), made: Vec::new(), replaced: Vec::new() }
    }

    fn replace(&mut self, index: usize, mine: &Block) {
        let Some(place) = self.places[index] else {
            self.tell(index, None);
            self.insert(index, slice::from_ref(mine));
            return;
        };
        let (base, theirs) = (&self.base[index], &self.newest[place]);
        if is_same(theirs, mine) {
            return;
        }
        let (block, replaces) = if theirs == base { (mine.clone(), false) } else { together(base, theirs, mine) };
        if replaces {
            self.tell(index, Some(theirs));
        }
        self.made.push(Edit::Replace(place, block));
    }

    fn delete(&mut self, index: usize) {
        let Some(place) = self.places[index] else { return };
        let theirs = &self.newest[place];
        if *theirs != self.base[index] {
            self.tell(index, Some(theirs));
        }
        self.made.push(Edit::Delete(place));
    }

    /// Inserts before the old block at this index, or where that would be now.
    fn insert(&mut self, at: usize, blocks: &[Block]) {
        let (before, after) = self.places.split_at(at);
        let anchor = match before.iter().flatten().next_back() {
            Some(place) => Anchor::After(*place),
            None => Anchor::Before(after.iter().flatten().next().copied().unwrap_or_default()),
        };
        if self.has(anchor, blocks) {
            return;
        }
        match self.made.last_mut() {
            // As one edit: a second insertion after the same block would come before the first.
            Some(Edit::Insert(other, inserted)) if *other == anchor => inserted.extend_from_slice(blocks),
            _ => self.made.push(Edit::Insert(anchor, blocks.to_vec())),
        }
    }

    /// Whether others have inserted the same there. What both changed in the same way is changed once.
    fn has(&self, anchor: Anchor, blocks: &[Block]) -> bool {
        let range = match anchor {
            Anchor::After(place) => place + 1..place + 1 + blocks.len(),
            Anchor::Before(place) => place.saturating_sub(blocks.len())..place,
        };
        let is_new = range.clone().all(|place| !self.places.contains(&Some(place)));
        let there = self.newest.get(range).unwrap_or_default();
        is_new && there.len() == blocks.len() && there.iter().zip(blocks).all(|(theirs, mine)| is_same(theirs, mine))
    }

    fn tell(&mut self, index: usize, theirs: Option<&Block>) {
        let base = &self.base[index];
        let id = base.id.as_ref().map(|id| id.as_str().to_owned()).unwrap_or_default();
        self.replaced.push(Replaced { id, before: write::block(base), theirs: theirs.map(write::block) });
    }

    fn operation(&self, edit: &Edit) -> Result<Value, Failure> {
        let id = |place: usize| &self.newest[place].id;
        Ok(match edit {
            Edit::Replace(place, block) => {
                let block = serde_json::to_value(block)?;
                json!({"op": "replace_block", "block_id": id(*place), "block": block})
            }
            // As Markdown, because then a long insertion is one operation, and a plan has few.
            Edit::Insert(Anchor::After(place), blocks) => {
                json!({"op": "insert_markdown", "markdown": markdown(blocks), "after_id": id(*place)})
            }
            Edit::Insert(Anchor::Before(place), blocks) => {
                json!({"op": "insert_markdown", "markdown": markdown(blocks), "before_id": id(*place)})
            }
            Edit::Delete(place) => json!({"op": "delete_block", "block_id": id(*place)}),
        })
    }
}

/// Both changes of a block, merged by lines, and whether mine replaces lines of theirs.
fn together(base: &Block, theirs: &Block, mine: &Block) -> (Block, bool) {
    let texts = [base, theirs, mine].map(write::block);
    if texts.iter().any(|text| text.lines().count() > LINES) {
        return (mine.clone(), true);
    }
    let [base, theirs, own] = texts;
    let Merged { text, replaced } = merged(&base, &theirs, &own);
    let read = read::read(&text).map(|read| read.content.blocks);
    match read.as_deref() {
        Ok([block]) => (block.clone(), !replaced.is_empty()),
        // Not one block anymore.
        _ => (mine.clone(), true),
    }
}

/// Whether they are the same for a person who sees them as Markdown.
fn is_same(one: &Block, other: &Block) -> bool {
    write::block(one) == write::block(other)
}

fn markdown(blocks: &[Block]) -> String {
    let content =
        DocumentContent { kind: DocumentKind::Docs, blocks: blocks.to_vec(), settings: None, annotations: None };
    write::write(&content)
}

/// The blocks as they come back from the Markdown that the person was given. What Markdown lacks is not a difference.
fn as_read(base: &DocumentContent) -> Vec<Block> {
    match read::read(&write::write(base)) {
        Ok(read) if read.content.blocks.len() == base.blocks.len() => read.content.blocks,
        _ => base.blocks.clone(),
    }
}

fn keys(blocks: &[Block]) -> Result<Vec<String>, Failure> {
    let key = |block: &Block| Ok(serde_json::to_string(&Block { id: None, ..block.clone() })?);
    blocks.iter().map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(texts: &[(&str, &str)]) -> DocumentContent {
        let blocks: Vec<Value> = texts
            .iter()
            .map(|(id, text)| json!({"id": id, "type": "paragraph", "segments": [{"text": text}]}))
            .collect();
        serde_json::from_value(json!({"kind": "docs", "blocks": blocks})).expect("a document")
    }

    fn edits(base: &DocumentContent, markdown: &str) -> Vec<Value> {
        let edits = super::edits(base, base, markdown).expect("it is read").expect("it is a document");
        assert!(edits.replaced.is_empty(), "nobody else has written");
        edits.operations
    }

    /// The edits of the newest document in words, and what they replace.
    fn beside(base: &[(&str, &str)], newest: &[(&str, &str)], markdown: &str) -> (String, Vec<(String, String)>) {
        let edits = super::edits(&document(base), &document(newest), markdown);
        let DocumentEdits { operations, replaced } = edits.expect("it is read").expect("it is a document");
        let word = |operation: &Value| {
            let member = |name: &str| operation[name].as_str();
            let text = member("markdown").map(|text| text.trim_end().replace("\n\n", "+"));
            let text = text.or_else(|| operation["block"]["segments"][0]["text"].as_str().map(str::to_owned));
            match (member("block_id"), member("after_id"), member("before_id"), text) {
                (Some(id), _, _, Some(text)) => format!("{id}={text}"),
                (Some(id), _, _, None) => format!("-{id}"),
                (_, Some(id), _, Some(text)) => format!("{id}<{text}"),
                (_, _, Some(id), Some(text)) => format!("{text}>{id}"),
                _ => panic!("{operation}"),
            }
        };
        let words: Vec<_> = operations.iter().map(word).collect();
        let replaced = replaced.into_iter().map(|one| (one.id, one.theirs.unwrap_or_else(|| "gone".to_owned())));
        (words.join(" "), replaced.collect())
    }

    fn made(words: &str, replaced: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
        let replaced = replaced.iter().map(|(id, theirs)| ((*id).to_owned(), (*theirs).to_owned()));
        (words.to_owned(), replaced.collect())
    }

    #[test]
    fn blocks_that_did_not_change_are_not_named() {
        let base = document(&[("a", "one"), ("b", "two"), ("c", "three")]);
        let same = write::write(&base);
        assert_eq!(edits(&base, &same), [] as [Value; 0]);
        let changed = edits(&base, &same.replace("two", "2"));
        assert_eq!(changed.len(), 1, "{changed:?}");
        assert_eq!((&changed[0]["op"], &changed[0]["block_id"]), (&json!("replace_block"), &json!("b")));
    }

    #[test]
    fn blocks_are_inserted_after_their_neighbors_and_deleted_last() {
        let base = document(&[("a", "one"), ("b", "two")]);
        let first = edits(&base, "new\n\none\n\ntwo\n");
        assert_eq!(first, [json!({"op": "insert_markdown", "markdown": "new\n", "before_id": "a"})]);
        let after = edits(&base, "one\n\n- x\n- y\n\ntwo\n");
        assert_eq!(after, [json!({"op": "insert_markdown", "markdown": "- x\n- y\n", "after_id": "a"})]);
        assert_eq!(edits(&base, "two\n"), [json!({"op": "delete_block", "block_id": "a"})]);
        let ops: Vec<_> = edits(&base, "").iter().map(|edit| edit["op"].clone()).collect();
        assert_eq!(ops, ["replace_block", "delete_block"], "a document has one block at least");
    }

    const BASE: [(&str, &str); 3] = [("a", "one"), ("b", "two"), ("c", "three")];

    #[test]
    fn edits_of_different_blocks_are_both_kept() {
        let newest = [("a", "one"), ("x", "by Bob"), ("b", "2"), ("c", "three"), ("y", "end")];
        assert_eq!(beside(&BASE, &newest, "ONE\n\ntwo\n\nthree\n"), made("a=ONE", &[]));
        // Directly after the block that it names.
        assert_eq!(beside(&BASE, &newest, "one\n\nnew\n\ntwo\n\nthree\n"), made("a<new", &[]));
        assert_eq!(beside(&BASE, &newest, "one\n\ntwo\n"), made("-c", &[]));
        assert_eq!(beside(&BASE, &newest, "one\n\ntwo\n\nthree\n"), made("", &[]));
    }

    #[test]
    fn what_both_changed_in_the_same_way_is_changed_once() {
        let newest = [("v", "top"), ("a", "one"), ("b", "2"), ("c", "new"), ("y", "newer")];
        let mine = "top\n\none\n\n2\n\nnew\n\nnewer\n";
        assert_eq!(beside(&BASE, &newest, mine), made("", &[]));
    }

    #[test]
    fn a_block_that_both_changed_is_told_and_mine_replaces_it() {
        let newest = [("a", "uno"), ("b", "due"), ("c", "three")];
        let mine = "eins\n\nthree\n\nfour\n";
        assert_eq!(beside(&BASE, &newest, mine), made("a=eins c<four -b", &[("a", "uno"), ("b", "due")]));
    }

    #[test]
    fn what_was_written_into_a_deleted_block_is_inserted_in_its_place() {
        let newest = [("c", "three")];
        let edits = beside(&BASE, &newest, "ONE\n\nnew\n\ntwo\n\nthree\n");
        assert_eq!(edits, made("ONE+new>c", &[("a", "gone")]));
        let newest = [("a", "one"), ("x", "by Bob")];
        let edits = beside(&BASE, &newest, "one\n\nTWO\n\nTHREE\n\nend\n");
        assert_eq!(edits, made("a<TWO+THREE+end", &[("b", "gone"), ("c", "gone")]));
        let edits = beside(&BASE, &[("x", "by Bob")], "one\n\ntwo\n\n3\n");
        assert_eq!(edits, made("3>x", &[("c", "gone")]));
        assert_eq!(beside(&BASE, &newest, "one\n\ntwo\n"), made("", &[]), "both have deleted it");
    }

    #[test]
    fn lines_of_a_block_are_put_together() {
        let table = |rent: &str, food: &str| {
            let row = |name: &str, price: &str| json!([[{"text": name}], [{"text": price}]]);
            let rows = json!([row("Item", "Price"), row("Rent", rent), row("Food", food)]);
            let block = json!({"id": "t", "type": "table", "segments": [], "rows": rows});
            serde_json::from_value::<DocumentContent>(json!({"kind": "docs", "blocks": [block]})).expect("a document")
        };
        let (base, newest) = (table("900", "250"), table("950", "250"));
        let mine = |rent: &str, food: &str| {
            let edits = super::edits(&base, &newest, &write::write(&table(rent, food)));
            edits.expect("it is read").expect("it is a document")
        };
        let edits = mine("900", "275");
        assert!(edits.replaced.is_empty());
        let rows = &edits.operations[0]["block"]["rows"];
        assert_eq!((&rows[1][1][0]["text"], &rows[2][1][0]["text"]), (&json!("950"), &json!("275")));
        let edits = mine("1000", "275");
        assert_eq!(edits.replaced[0].id, "t");
        let theirs = edits.replaced[0].theirs.as_deref().expect("a table");
        assert!(theirs.contains("| Rent | 950 |"), "{theirs}");
        let rows = &edits.operations[0]["block"]["rows"];
        assert_eq!((&rows[1][1][0]["text"], &rows[2][1][0]["text"]), (&json!("1000"), &json!("275")));
    }
}
