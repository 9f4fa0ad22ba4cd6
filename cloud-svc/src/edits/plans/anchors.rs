//! Comments on cells stay with their cells: where a plan leaves what a comment is about.

use shared_model::Failure;
use shared_runtime::Conn;

use super::{operation, plan::Plan, store};
use crate::{
    files::{comments, file::File},
    workspace::command::ChangeContext,
};
use cloud_content::{anchor::Anchor, content::Content};

/// The anchor after all operations.
pub fn shifted<C: Content>(operations: &[C::Operation], anchor: Anchor) -> Anchor {
    operations.iter().fold(anchor, |anchor, operation| C::shift_anchor(operation, anchor))
}

/// Moves the comments on a file as the plan, which has just been applied, moves their cells.
pub fn move_comments<C: Content>(conn: &mut Conn, by: &ChangeContext, file: &File, plan: &Plan) -> Result<(), Failure> {
    // Usually there are no comments on cells, and then the operations are not read.
    let anchors = comments::store::ranges(conn, file.id)?;
    if anchors.is_empty() {
        return Ok(());
    }
    let operations = operation::stored::<C>(&store::operations(conn, plan.id)?)?;
    for (comment, anchor) in anchors {
        let later = shifted::<C>(&operations, anchor.clone());
        if later != anchor {
            comments::moved_anchors::move_to(conn, comment, (&anchor, plan.base_version_id), &later, by.at)?;
        }
    }
    Ok(())
}
