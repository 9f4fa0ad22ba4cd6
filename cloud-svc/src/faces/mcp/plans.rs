//! Tools about plans: what waits, and what becomes of it.

use shared_runtime::mcp::{Effect, Shape, Tool, ToolArgument};

use super::{
    apply_plan,
    arguments::{cursor, file_id, if_match, plan_id},
    next_step, text,
    view::VIEW,
};

pub(super) fn reading() -> Vec<Tool> {
    vec![
        Tool::new(
            "list_plans",
            Effect::Reads,
            &["list_workspace_plans"],
            "List open plans, newest first. for \"me\": those that wait for your review.",
        )
        .taking([
            ToolArgument::word("for", &["me", "mine", "all"]),
            ToolArgument::word("state", &["proposed", "in_review", "approved", "returned"]),
            cursor(),
        ])
        .writing(text::plans::list),
        Tool::new("get_plan", Effect::Reads, &["get_edit_plan"], "Show a plan: state, changes, warnings.")
            .taking([file_id(), plan_id()])
            .knowing(next_step::of_plan)
            .writing(text::plans::one)
            .shown_by(VIEW),
        Tool::new(
            "await_decision",
            Effect::Reads,
            &["get_edit_plan"],
            "Wait up to 55 seconds for the verdict on a plan in review.",
        )
        .taking([file_id(), plan_id()])
        .by_default(&[("wait_seconds", "55")])
        .knowing(next_step::of_plan)
        .writing(text::plans::verdict),
    ]
}

pub(super) fn deciding() -> Vec<Tool> {
    let adds = |name, operations, description| Tool::new(name, Effect::Adds, operations, description);
    // No other tool brings the plan back.
    let ends = |name, operations, description| Tool::new(name, Effect::Replaces, operations, description);
    vec![
        Tool::new(
            "apply_plan",
            Effect::Replaces,
            apply_plan::OPERATIONS,
            "Apply exactly what a plan shows, as the file's next version. Warnings of high severity need a \
             person's word.",
        )
        .taking([file_id(), plan_id(), if_match()])
        .knowing(next_step::of_applied)
        .writing(text::plans::applied)
        .steps(|call| Box::pin(apply_plan::apply(call))),
        adds("rebase_plan", &["rebase_edit_plan"], "Bring a stale plan up to date with its file.")
            .taking([file_id(), plan_id(), if_match()])
            .knowing(next_step::of_plan)
            .writing(text::plans::one),
        adds("request_review", &["request_plan_review"], "Ask somebody else to approve a plan. Then await_decision.")
            .taking([file_id(), plan_id(), ToolArgument::text("note")])
            .writing(text::plans::brief),
        adds("split_plan", &["split_edit_plan"], "Make a plan from some changes (c1, c2, …) of another.")
            .taking([file_id(), plan_id(), ToolArgument::new("changes", Shape::list(Shape::Text)).required()])
            .knowing(next_step::of_plan)
            .writing(text::plans::one),
        adds("return_plan", &["return_edit_plan"], "Send somebody else's plan back to its author, with a reason.")
            .taking([file_id(), plan_id(), ToolArgument::text("reason").required(), remarks()])
            .writing(text::plans::brief),
        ends("discard_plan", &["discard_edit_plan"], "Discard your own plan.")
            .taking([file_id(), plan_id()])
            .writing(text::plans::brief),
        ends("reject_plan", &["reject_edit_plan"], "Reject somebody else's plan. Only a person approves, on its page.")
            .taking([file_id(), plan_id(), ToolArgument::text("reason").required()])
            .writing(text::plans::brief),
    ]
}

/// Remarks of a reviewer on single changes.
fn remarks() -> ToolArgument {
    let remark = vec![ToolArgument::text("change").required(), ToolArgument::text("text").required()];
    ToolArgument::new("on", Shape::list(Shape::Object(remark)))
}
