//! Tools about proposals: plans for several files that are decided together.

use shared_runtime::mcp::{Effect, Shape, Tool, ToolArgument};

use super::{
    arguments::{file_id, plan_id},
    next_step, text,
    view::VIEW,
};

pub(super) fn tools() -> Vec<Tool> {
    let proposal_id = || ToolArgument::text("proposal_id").required();
    // The hash of the plans that the caller has seen.
    let seen = || ToolArgument::text("proposal_sha256").required();
    let plans = Shape::list(Shape::Object(vec![file_id(), plan_id()]));
    let tools = [
        Tool::new(
            "propose_together",
            Effect::Adds,
            &["create_proposal"],
            "Combine plans for several files: all are applied, or none.",
        )
        .taking([
            ToolArgument::text("title").required(),
            ToolArgument::text("reason"),
            ToolArgument::new("plans", plans).required(),
        ]),
        Tool::new("get_proposal", Effect::Reads, &["get_proposal"], "Show a proposal and its plans.")
            .taking([proposal_id()])
            .shown_by(VIEW),
        Tool::new(
            "request_proposal_review",
            Effect::Adds,
            &["request_proposal_review"],
            "Ask for the approval of a proposal.",
        )
        .taking([proposal_id(), ToolArgument::text("note")]),
        Tool::new("rebase_proposal", Effect::Adds, &["rebase_proposal"], "Update stale plans of a proposal.")
            .taking([proposal_id(), seen()]),
        Tool::new("discard_proposal", Effect::Replaces, &["discard_proposal"], "Discard a proposal and its plans.")
            .taking([proposal_id()]),
    ];
    let apply =
        Tool::new("apply_proposal", Effect::Replaces, &["apply_proposal"], "Apply all plans of a proposal, or none.")
            .taking([proposal_id(), seen()])
            .knowing(next_step::of_applied_proposal);
    let tools = tools.into_iter().map(|tool| tool.knowing(next_step::of_proposal)).chain([apply]);
    tools.map(|tool| tool.writing(text::proposals::one)).collect()
}
