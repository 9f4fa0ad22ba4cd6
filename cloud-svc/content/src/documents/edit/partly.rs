//! Operations that make some of the changes of another.

use super::operation::{DocumentOperation as Op, InsertMarkdown, ReplaceMarkdown};
use crate::{documents::content::block::Block, part_id::PartId, preview::Change};

/// The operations that make just these changes; `None` if the operation makes all or none.
pub fn partly(operation: &Op, kept: &[&Change]) -> Option<Vec<Op>> {
    let is_kept = |block: &&Block| block.id.is_some() && kept.iter().any(|change| change.place.block_id == block.id);
    match operation {
        Op::InsertMarkdown(insert) => {
            let blocks = insert.blocks.iter().filter(is_kept).cloned().collect();
            Some(vec![Op::InsertMarkdown(InsertMarkdown { blocks, ..insert.clone() })])
        }
        Op::ReplaceMarkdown(replace) => {
            let (first, others) = replace.blocks.split_first()?;
            let blocks: Vec<Block> = others.iter().filter(is_kept).cloned().collect();
            let replaces = kept.iter().any(|change| change.place.block_id.as_ref() == Some(&replace.block_id));
            // Without the replacement, the new blocks follow the block as it is.
            Some(vec![if replaces {
                let blocks = [first.clone()].into_iter().chain(blocks).collect();
                Op::ReplaceMarkdown(ReplaceMarkdown { blocks, block_id: replace.block_id.clone() })
            } else {
                let after_id = Some(replace.block_id.clone());
                Op::InsertMarkdown(InsertMarkdown { blocks, after_id, before_id: None })
            }])
        }
        _ => None,
    }
}

/// The member that names the block before the new place.
pub fn after_id_of(operation: &mut Op) -> Option<&mut Option<PartId>> {
    match operation {
        Op::InsertBlock(insert) => Some(&mut insert.after_id),
        Op::InsertMarkdown(insert) => Some(&mut insert.after_id),
        Op::MoveBlock(to) => Some(&mut to.after_id),
        _ => None,
    }
}
