//! Arguments that many tools have.

use shared_runtime::mcp::ToolArgument;

pub(super) fn file_id() -> ToolArgument {
    ToolArgument::text("file_id").required()
}

pub(super) fn plan_id() -> ToolArgument {
    ToolArgument::text("plan_id").required()
}

pub(super) fn if_match() -> ToolArgument {
    ToolArgument::text("if_match").required()
}

pub(super) fn parent_id() -> ToolArgument {
    ToolArgument::text("parent_id")
}

pub(super) fn cursor() -> ToolArgument {
    ToolArgument::text("cursor")
}
