//! Tools that propose edits: one for each kind of content. Their operations are flat, so that every model API takes
//! their schema. This file gives them the form of the HTTP interface.

use serde_json::{Map, Value, json};
use shared_model::{Failure, code};
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Effect, Outcome, Shape, Tool, ToolArgument, ToolCall},
};

use super::{
    arguments::{file_id, if_match},
    next_step, text,
    view::VIEW,
};
use crate::files::file::FileAnswer;
use cloud_content::kinds::native_kind;

const PROPOSE: &[&str] = &["propose_file_edit", "revise_edit_plan"];

pub(super) fn tools() -> Vec<Tool> {
    vec![document(), spreadsheet(), note(), publication(), presentation()]
}

fn tool(name: &'static str, description: &'static str, operation: Vec<ToolArgument>) -> Tool {
    let operations = ToolArgument::new("operations", Shape::list(Shape::Object(operation))).required();
    Tool::new(name, Effect::Adds, PROPOSE, description)
        .taking([
            file_id(),
            if_match(),
            operations,
            ToolArgument::text("revises"),
            ToolArgument::text("answers_comment_id"),
        ])
        .steps(|call| Box::pin(propose(call)))
        .knowing(next_step::of_plan)
        .writing(text::plans::one)
        .shown_by(VIEW)
}

async fn propose(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    unflatten(&mut call.arguments);
    let mut arguments = std::mem::take(&mut call.arguments);
    // The plan of one's own that these edits replace.
    let revised = arguments.remove("revises").map(|plan| arguments.insert("plan_id".to_owned(), plan));
    if revised.is_some() {
        // A revision answers what the plan before answers.
        arguments.remove("answers_comment_id");
    }
    let operation = if revised.is_some() { PROPOSE[1] } else { PROPOSE[0] };
    let file = Arguments::from_iter(arguments.get("file_id").map(|id| ("file_id".to_owned(), id.clone())));
    let proposed = call.call(operation, arguments).await?;
    let CallResult::Refused(body) = &proposed else { return Ok(Outcome::Finished(proposed)) };
    if body.error.code != code::INVALID_FIELD.name {
        return Ok(Outcome::Finished(proposed));
    }
    // Its problems are about the operations of the file's type, which may be those of another tool.
    let CallResult::Answered(json) = call.call("get_file", file).await? else { return Ok(Outcome::Finished(proposed)) };
    let FileAnswer { file } = serde_json::from_str(&json)?;
    let edits = format!("edit_{}", file.kind.as_str());
    if native_kind(file.kind).is_none() || edits == call.tool {
        return Ok(Outcome::Finished(proposed));
    }
    let rule =
        format!("must be a file of another type: {} has the type {}, which {edits} edits", file.id, file.kind.as_str());
    call.refuse(operation, "file_id", &rule)
}

fn op(words: &[&'static str]) -> ToolArgument {
    ToolArgument::word("op", words).required()
}

fn texts(names: &[&'static str]) -> impl Iterator<Item = ToolArgument> {
    names.iter().map(|name| ToolArgument::text(name))
}

fn integers(names: &[&'static str]) -> impl Iterator<Item = ToolArgument> {
    names.iter().map(|name| ToolArgument::integer(name))
}

fn document() -> Tool {
    let operations = ["insert_markdown", "replace_markdown", "delete_block", "move_block", "replace_text"];
    let members = [op(&operations)]
        .into_iter()
        .chain(texts(&["markdown", "block_id", "after_id", "before_id"]))
        .chain([ToolArgument::flag("first").says("move_block to the beginning")])
        .chain(texts(&["find", "replace"]))
        .chain(integers(&["expected_count"]));
    tool(
        "edit_document",
        "Edit blocks and text of a document. Proposes a plan; apply_plan carries it out. insert_markdown without place: at \
         the end. replace_markdown replaces one block. revises: the plan to replace.",
        members.collect(),
    )
    .example(r###"{"file_id":"file_12","if_match":"9f86d081884c7d65","operations":[{"op":"insert_markdown","after_id":"b_1f","markdown":"## Next\n\n- Print"},{"op":"replace_text","block_id":"b_1f","find":"May","replace":"June"}]}"###)
}

fn note() -> Tool {
    let operations = ["set_title", "set_content", "append_markdown", "replace_text", "set_tags", "set_flags"];
    let members = [op(&operations)]
        .into_iter()
        .chain(texts(&["title", "content", "markdown", "find", "replace"]))
        .chain(integers(&["expected_count"]))
        .chain([
            ToolArgument::new("tags", Shape::list(Shape::Text)),
            ToolArgument::flag("pinned"),
            ToolArgument::flag("archived"),
        ]);
    tool(
        "edit_note",
        "Edit text, title, tags or flags of a note. Proposes a plan, like edit_document.",
        members.collect(),
    )
    .example(r#"{"file_id":"file_12","if_match":"9f86d081884c7d65","operations":[{"op":"append_markdown","markdown":"- apples"},{"op":"set_tags","tags":["home"]}]}"#)
}

fn spreadsheet() -> Tool {
    let operations = [
        "set_cells",
        "fill",
        "clear_range",
        "insert_rows",
        "delete_rows",
        "insert_columns",
        "delete_columns",
        "add_sheet",
        "rename_sheet",
        "delete_sheet",
        "set_format",
    ];
    let members = [op(&operations)]
        .into_iter()
        .chain(texts(&["sheet", "range", "from"]))
        .chain([ToolArgument::new("values", Shape::list(Shape::list(Shape::Text)))])
        .chain(integers(&["row"]))
        .chain(texts(&["column"]))
        .chain(integers(&["count"]))
        .chain(texts(&["name"]))
        .chain([ToolArgument::word("align", &["left", "center", "right"]), ToolArgument::flag("wrap")]);
    tool(
        "edit_spreadsheet",
        "Edit cells, formulas, rows, columns and sheets of a spreadsheet. Proposes a plan, as edit_document; formulas follow \
         their cells. values are rows: [[\"Tea\",\"12\"],[\"Sum\",\"=B1\"]].",
        members.collect(),
    )
    .example(r#"{"file_id":"file_12","if_match":"9f86d081884c7d65","operations":[{"op":"insert_rows","sheet":"Budget","row":5,"count":1},{"op":"set_cells","range":"Budget!A5:B5","values":[["Tea","12"]]},{"op":"fill","sheet":"Budget","from":"D2","range":"D5"}]}"#)
}

fn publication() -> Tool {
    let operations = ["insert_page", "delete_page", "move_page"];
    let members = canvas(&operations, ["page_id", "name", "background"])
        .chain([
            ToolArgument::word("size", &["a4", "letter", "square", "business-card"]),
            ToolArgument::word("orientation", &["portrait", "landscape"]),
        ])
        .chain(element());
    tool(
        "edit_publication",
        "Edit pages and elements of a publication; positions and sizes are percent of the page. Proposes a \
         plan, as edit_document. insert_page takes a page_id of your choice, for elements in the same call.",
        members.collect(),
    )
    .example(r##"{"file_id":"file_12","if_match":"9f86d081884c7d65","operations":[{"op":"insert_page","page_id":"back","name":"Back"},{"op":"insert_element","page_id":"back","element_id":"title","text":"Welcome","x":10,"y":10,"w":80,"h":15}]}"##)
}

fn presentation() -> Tool {
    let operations = ["insert_slide", "delete_slide", "move_slide"];
    let members = canvas(&operations, ["slide_id", "name", "background"]).chain(texts(&["notes"])).chain(element());
    tool(
        "edit_presentation",
        "Edit a presentation: slides, notes and elements, like edit_publication with slide_id.",
        members.collect(),
    )
    .example(r##"{"file_id":"file_12","if_match":"9f86d081884c7d65","operations":[{"op":"insert_slide","slide_id":"end","name":"Thanks","notes":"Smile."},{"op":"insert_element","slide_id":"end","element_id":"t","text":"Thanks","x":10,"y":40,"w":80,"h":20}]}"##)
}

fn canvas(operations: &[&'static str], own: [&'static str; 3]) -> impl Iterator<Item = ToolArgument> {
    let elements = ["insert_element", "replace_element", "delete_element", "move_element"];
    let words: Vec<_> = operations.iter().copied().chain(elements).collect();
    let moves = [ToolArgument::text("after_id"), ToolArgument::flag("first")];
    [op(&words)].into_iter().chain(texts(&own).collect::<Vec<_>>()).chain(moves)
}

fn element() -> impl Iterator<Item = ToolArgument> {
    let numbers = ["x", "y", "w", "h", "rotation", "fontSize"];
    let numbers = numbers.into_iter().map(|name| ToolArgument::new(name, Shape::Number));
    [ToolArgument::text("element_id"), ToolArgument::word("type", &["text", "shape"]), ToolArgument::text("text")]
        .into_iter()
        .chain(numbers)
        .chain([
            ToolArgument::text("fill"),
            ToolArgument::text("color"),
            ToolArgument::word("align", &["left", "center", "right"]),
            ToolArgument::integer("weight"),
        ])
}

/// Gives each operation the form of the HTTP interface. What is in that form already stays as it is.
fn unflatten(arguments: &mut Arguments) {
    let Some(operations) = arguments.get_mut("operations") else { return };
    // Models send lists as JSON in a string, and a list of one as the one.
    if let Some(sent) = operations.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()) {
        *operations = sent;
    }
    if operations.is_object() {
        *operations = Value::Array(vec![operations.take()]);
    }
    let operations = operations.as_array_mut().into_iter().flatten();
    operations.filter_map(Value::as_object_mut).for_each(unflatten_one);
}

/// Members whose empty values mean something, by operation. Elsewhere they are what models without a value send, where
/// the client makes them fill in every member.
const MAY_BE_EMPTY: &[(&str, &[&str])] = &[
    ("replace_text", &["replace"]),
    ("set_content", &["content"]),
    ("set_title", &["title"]),
    ("set_tags", &["tags"]),
    ("set_flags", &["pinned", "archived"]),
    ("set_format", &["wrap"]),
    ("set_validation", &["rule"]),
    ("set_annotations", &["annotations"]),
    ("set_widths", &["widths"]),
    ("insert_element", &["text", "x", "y", "rotation"]),
    ("replace_element", &["text", "x", "y", "rotation"]),
    // Kept, so that the refusal says that the text is empty, not that it is missing.
    ("insert_markdown", &["markdown"]),
    ("replace_markdown", &["markdown"]),
    ("append_markdown", &["markdown"]),
];

fn without_fillers(op: &str, operation: &mut Map<String, Value>) {
    let kept = MAY_BE_EMPTY.iter().find(|(known, _)| *known == op).map(|(_, kept)| *kept).unwrap_or_default();
    // In the form of the HTTP interface, null is a place.
    let is_place = |name: &str| name == "after_id" && op.starts_with("move_");
    operation.retain(|name, value| {
        let is_empty = match value {
            Value::Null => !is_place(name),
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Bool(flag) => !*flag,
            Value::Number(number) => number.as_f64() == Some(0.0) && name != "index",
            Value::Object(_) => false,
        };
        !is_empty || kept.contains(&name.as_str())
    });
}

fn unflatten_one(operation: &mut Map<String, Value>) {
    let Some(op) = operation.get("op").and_then(Value::as_str).map(str::to_owned) else { return };
    without_fillers(&op, operation);
    match op.as_str() {
        "replace_text" => {
            // Agents mean one place unless they say otherwise; another number is refused and tells how many there are.
            operation.entry("expected_count").or_insert_with(|| json!(1));
        }
        "add_sheet" => {
            let cells = operation.remove("values");
            operation.entry("cells").or_insert_with(|| cells.unwrap_or_else(|| json!([[""]])));
        }
        "insert_page" => {
            let defaults =
                json!({"name": "", "background": "#ffffff", "size": "a4", "orientation": "portrait", "elements": []});
            gather(operation, "page", Some("page_id"), &defaults);
        }
        "insert_slide" => {
            let defaults = json!({"name": "", "background": "#ffffff", "elements": [], "notes": ""});
            gather(operation, "slide", Some("slide_id"), &defaults);
        }
        "insert_element" => gather(operation, "element", Some("element_id"), &new_element()),
        "replace_element" => {
            // Nothing that is absent is made up: it would change the look of what is there. The refusal lists it.
            let known = new_element();
            let sent = known.as_object().into_iter().flatten().filter(|(name, _)| operation.contains_key(*name));
            let sent = sent.map(|(name, default)| (name.clone(), default.clone())).collect();
            gather(operation, "element", None, &Value::Object(sent));
        }
        _ => {}
    }
    if op.starts_with("move_") && operation.remove("first") == Some(Value::Bool(true)) {
        operation.insert("after_id".to_owned(), Value::Null);
    }
}

fn new_element() -> Value {
    json!({
        "type": "text", "x": 10, "y": 10, "w": 80, "h": 20, "rotation": 0, "text": "", "fill": "#ffffff",
        "color": "#000000", "fontSize": 24, "align": "left", "weight": 400,
    })
}

/// Moves the members of a part into it, with defaults for those that are absent. A new part takes its id along.
fn gather(operation: &mut Map<String, Value>, part: &str, id_of_new: Option<&str>, defaults: &Value) {
    if operation.contains_key(part) {
        return;
    }
    let mut members = Map::new();
    for (name, default) in defaults.as_object().into_iter().flatten() {
        members.insert(name.clone(), operation.remove(name).unwrap_or_else(|| default.clone()));
    }
    if let Some(id) = id_of_new.and_then(|id| operation.remove(id)) {
        members.insert("id".to_owned(), id);
    }
    operation.insert(part.to_owned(), Value::Object(members));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unflattened(operation: Value) -> Value {
        let mut arguments = Arguments::from_iter([("operations".to_owned(), json!([operation]))]);
        unflatten(&mut arguments);
        arguments["operations"][0].clone()
    }

    #[test]
    fn flat_operations_become_those_of_the_http_interface() {
        let element =
            unflattened(json!({"op": "insert_element", "slide_id": "s", "element_id": "e", "text": "Hi", "w": 50}));
        assert_eq!((&element["slide_id"], &element["element"]["id"]), (&json!("s"), &json!("e")));
        assert_eq!((&element["element"]["w"], &element["element"]["align"]), (&json!(50), &json!("left")));
        let page = unflattened(json!({"op": "insert_page", "page_id": "p", "name": "Back"}));
        assert_eq!((&page["page"]["id"], page.get("page_id")), (&json!("p"), None));
        let replaced = unflattened(json!({"op": "replace_element", "page_id": "p", "element_id": "e", "text": "x"}));
        assert_eq!((&replaced["element_id"], &replaced["element"]), (&json!("e"), &json!({"text": "x"})));
        assert_eq!(unflattened(json!({"op": "move_block", "block_id": "b", "first": true}))["after_id"], Value::Null);
        assert_eq!(unflattened(json!({"op": "replace_text", "find": "a", "replace": "b"}))["expected_count"], 1);
    }

    #[test]
    fn what_models_fill_in_for_nothing_is_absent() {
        let filled = json!({
            "op": "replace_text", "block_id": "b", "markdown": "", "after_id": null, "first": false, "find": "a", "replace": "",
            "expected_count": 0,
        });
        let expected = json!({"op": "replace_text", "block_id": "b", "find": "a", "replace": "", "expected_count": 1});
        assert_eq!(unflattened(filled), expected);
        let one = json!({"op": "delete_block", "block_id": "b"});
        for sent in [one.clone(), json!([one]), json!(one.to_string()), json!(json!([one]).to_string())] {
            let mut arguments = Arguments::from_iter([("operations".to_owned(), sent)]);
            unflatten(&mut arguments);
            assert_eq!(arguments["operations"], json!([one]));
        }
    }

    #[test]
    fn operations_of_the_http_interface_stay_as_they_are() {
        for operation in [
            json!({"op": "insert_slide", "slide": {"name": "x", "background": "#ffffff", "elements": []}}),
            json!({"op": "move_block", "block_id": "b", "after_id": null}),
            json!({"op": "set_annotations", "annotations": []}),
            json!({"op": "set_widths", "sheet": "S", "widths": []}),
            json!({"op": "replace_text", "block_id": "b", "find": "a", "replace": "b", "expected_count": 2}),
        ] {
            assert_eq!(unflattened(operation.clone()), operation);
        }
    }
}
