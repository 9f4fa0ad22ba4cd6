//! The edits that turn a document into what a person made of its Markdown.

use std::ops::Range;

use serde_json::{Value, json};
use shared_model::{Failure, Problem};
use similar::{Algorithm, DiffOp};

use cloud_content::{
    difference,
    documents::{
        content::{DocumentContent, block::Block},
        markdown::{read, write},
    },
};

/// Edits of blocks, and only of those that differ: the others keep their ids, and with them their comments. `Err` lists
/// what a document cannot have.
pub fn operations(base: &DocumentContent, markdown: &str) -> Result<Result<Vec<Value>, Vec<Problem>>, Failure> {
    let edited = match read::read(markdown) {
        Ok(read) => read.content.blocks,
        Err(problems) => return Ok(Err(problems)),
    };
    let (old, new) = (keys(&as_read(base))?, keys(&edited)?);
    let edits = Edits { base: &base.blocks, edited: &edited };
    let (mut operations, mut gone) = (Vec::new(), Vec::new());
    for difference in difference::edits(Algorithm::Patience, &old, &new, None) {
        match difference {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => gone.extend(old_index..old_index + old_len),
            DiffOp::Insert { old_index, new_index, new_len } => {
                operations.push(edits.insert(old_index, new_index..new_index + new_len));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let both = old_len.min(new_len);
                for index in 0..both {
                    operations.push(edits.replace(old_index + index, new_index + index)?);
                }
                gone.extend(old_index + both..old_index + old_len);
                if new_len > both {
                    operations.push(edits.insert(old_index + both, new_index + both..new_index + new_len));
                }
            }
        }
    }
    // Last, because an insertion names the block before it.
    operations.extend(gone.into_iter().map(|index| json!({"op": "delete_block", "block_id": base.blocks[index].id})));
    Ok(Ok(operations))
}

struct Edits<'e> {
    base: &'e [Block],
    edited: &'e [Block],
}

impl Edits<'_> {
    fn replace(&self, old: usize, new: usize) -> Result<Value, Failure> {
        let block = serde_json::to_value(&self.edited[new])?;
        Ok(json!({"op": "replace_block", "block_id": self.base[old].id, "block": block}))
    }

    /// Inserts before the old block at this index.
    // As Markdown, because then a long insertion is one operation, and a plan has few.
    fn insert(&self, at: usize, blocks: Range<usize>) -> Value {
        let markdown = markdown(&self.edited[blocks]);
        match at.checked_sub(1) {
            Some(before) => json!({"op": "insert_markdown", "markdown": markdown, "after_id": self.base[before].id}),
            None => json!({"op": "insert_markdown", "markdown": markdown, "before_id": self.base[0].id}),
        }
    }
}

fn markdown(blocks: &[Block]) -> String {
    let content = DocumentContent {
        kind: cloud_content::documents::content::DocumentKind::Docs,
        blocks: blocks.to_vec(),
        settings: None,
        annotations: None,
    };
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
        operations(base, markdown).expect("it is read").expect("it is a document")
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
}
