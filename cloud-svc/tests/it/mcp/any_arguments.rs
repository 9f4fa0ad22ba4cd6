//! Tools are called with arguments of every sort: right ones, ids of other things, other types, and unknown members.
//! Each call gets a result or an error of the protocol, and none is a fault of ours.
//!
//! `TOOL_CALLS=20000` makes more calls, `TOOL_SEED=7` others.

use std::{collections::BTreeMap, env, time::Duration};

use cloud_svc::service;
use serde_json::{Map, Value, json};
use shared_testing::{Caller, Stage, histories::Dice};

use super::message;

const CALLS: u64 = 600;
const CALLS_PER_TOKEN: u64 = 500;
const TEXTS: [&str; 20] = [
    "",
    " ",
    "Budget",
    "root",
    "b1",
    "A1",
    "a1:$C$3",
    "Sheet1!B2:A1",
    "=SUM(A1:A3)",
    "=1/0",
    "# A heading\n\nA *paragraph* with [a link](https://new.example/).",
    "https://example.com/",
    "\"\"",
    "W/\"1\"",
    "2026-11-26T00:00:00Z",
    "0",
    "\u{202e}\u{0}\u{fffd}",
    "👩‍👩‍👧",
    "../../etc/passwd",
    "{\"op\": \"append\"}",
];

/// Right operations of the tools that edit, for the files that the test begins with.
const OPERATIONS: [(&str, &str); 5] = [
    (
        "edit_document",
        r#"[{"op": "insert_markdown", "markdown": "Next\n\n- Print"}, {"op": "append_markdown", "markdown": "x"},
            {"op": "replace_text", "find": "a", "replace": "b", "expected_count": 2}]"#,
    ),
    (
        "edit_note",
        r#"[{"op": "append_markdown", "markdown": "- apples"}, {"op": "set_tags", "tags": ["home"]},
            {"op": "set_title", "title": "Other"}]"#,
    ),
    (
        "edit_spreadsheet",
        r#"[{"op": "set_cells", "range": "Sheet1!A1:B2", "values": [["1", "=A1+1"], ["x", "=SUM(A1:A9)"]]},
            {"op": "insert_rows", "sheet": "Sheet1", "row": 1, "count": 2}, {"op": "add_sheet", "name": "Other"},
            {"op": "delete_columns", "sheet": "Sheet1", "column": 1, "count": 1}]"#,
    ),
    (
        "edit_publication",
        r#"[{"op": "insert_page", "page_id": "back", "name": "Back"},
            {"op": "insert_element", "page_id": "back", "element_id": "title", "text": "Hi", "x": 10, "y": 10, "w": 80, "h": 15}]"#,
    ),
    (
        "edit_presentation",
        r#"[{"op": "insert_slide", "slide_id": "end", "name": "Thanks", "notes": "Smile."},
            {"op": "insert_element", "slide_id": "end", "element_id": "t", "text": "Hi", "x": 10, "y": 40, "w": 80, "h": 20}]"#,
    ),
];

/// What earlier answers have named.
#[derive(Default)]
struct Seen {
    /// By what stands before `_`.
    ids: BTreeMap<String, Vec<String>>,
    /// Of files.
    etags: BTreeMap<String, String>,
    types: BTreeMap<String, String>,
    /// The files of plans, versions and comments.
    files: BTreeMap<String, String>,
    /// The hashes of plans and proposals.
    hashes: BTreeMap<String, String>,
}

impl Seen {
    fn note(&mut self, answer: &Value) {
        match answer {
            Value::Array(items) => items.iter().for_each(|item| self.note(item)),
            Value::Object(members) => {
                if let Some(id) = answer["id"].as_str() {
                    let mut keep = |map: fn(&mut Self) -> &mut BTreeMap<String, String>, name: &str| {
                        let text = answer[name].as_str().map(str::to_owned);
                        map(self).extend(text.map(|text| (id.to_owned(), text)));
                    };
                    keep(|seen| &mut seen.etags, "etag");
                    keep(|seen| &mut seen.types, "type");
                    keep(|seen| &mut seen.files, "file_id");
                    keep(|seen| &mut seen.hashes, "proposal_sha256");
                }
                for (name, member) in members {
                    if let Some(id) = member.as_str().filter(|_| name.ends_with("id")) {
                        let (kind, _) = id.split_once('_').unwrap_or_default();
                        self.ids.entry(kind.to_owned()).or_default().push(id.to_owned());
                    }
                    self.note(member);
                }
            }
            _ => {}
        }
    }

    /// If this is the name of an id, one that was seen; mostly of the thing that it names, so of `plan_id` a plan.
    fn id(&self, dice: &mut Dice, member: &str) -> Option<String> {
        let wanted = match member {
            "parent_id" => "file",
            "with" => "ver",
            _ => member.strip_suffix("_id")?,
        };
        let begins = |kind: &str| kind.starts_with(&wanted[..wanted.len().min(3)]);
        let fits = self.ids.iter().filter(|(kind, _)| begins(kind)).flat_map(|(_, ids)| ids.iter().rev().take(12));
        let others = self.ids.values().flat_map(|ids| ids.iter().rev().take(3));
        if dice.percent(95) { dice.pick_text(fits) } else { dice.pick_text(others) }
    }
}

/// Texts that no text of [`TEXTS`] stands for.
fn right_texts(name: &str) -> &'static [&'static str] {
    match name {
        "change" | "changes" => &["c1", "c2"],
        "content_base64" => &["", "aGVsbG8="],
        "mime" => &["text/plain"],
        _ => &[],
    }
}

/// A value for a schema, mostly a right one.
fn value(dice: &mut Dice, seen: &Seen, name: &str, schema: &Value) -> Value {
    if dice.percent(2) {
        return dice.of_these::<fn() -> Value>(&[
            || Value::Null,
            || json!(true),
            || json!(-1),
            || json!(1.5e300),
            || json!("text"),
            || json!([]),
            || json!([[[]]]),
            || json!({}),
        ])();
    }
    if let Some(choices) = schema["enum"].as_array() {
        return dice.pick(choices, |choice| choice.as_str().expect("a text")).expect("a choice").clone();
    }
    match schema["type"].as_str() {
        // Somebody who waits for changes would keep the others waiting.
        Some("integer" | "number") if name.contains("wait") => json!(0),
        Some("integer" | "number") => json!(dice.of_these(&[0, 1, 2, 3, 20, -1, 1_000_000, i64::MAX])),
        Some("boolean") => json!(dice.percent(50)),
        Some("array") => {
            let length = dice.of_these(&[0, 1, 1, 1, 2, 3]);
            (0..length).map(|_| value(dice, seen, name, &schema["items"])).collect()
        }
        Some("object") => object(dice, seen, schema),
        _ => match seen.id(dice, name) {
            Some(id) => json!(id),
            None if dice.percent(80) && !right_texts(name).is_empty() => json!(dice.of_these(right_texts(name))),
            None if dice.percent(1) => json!("long ".repeat(20_000)),
            None => json!(dice.of_these(&TEXTS)),
        },
    }
}

fn object(dice: &mut Dice, seen: &Seen, schema: &Value) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut made = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let chance = if required.contains(&json!(name)) { 98 } else { 25 };
        let is_unseen = chance < 90 && name.ends_with("id") && seen.id(dice, name).is_none();
        if dice.percent(chance) && !is_unseen {
            made.insert(name.clone(), value(dice, seen, name, property));
        }
    }
    // A plan goes with its file.
    let parts = made.iter().filter(|(name, _)| *name != "file_id");
    let file = parts.filter_map(|(_, id)| seen.files.get(id.as_str()?)).next();
    if let Some(file) = file.filter(|_| made.contains_key("file_id") && dice.percent(92)) {
        made.insert("file_id".to_owned(), json!(file));
    }
    if dice.percent(2) {
        made.insert("other".to_owned(), json!(1));
    }
    Value::Object(made)
}

/// The arguments of a call: of files with their entity tags and, in tools that edit, right operations, mostly.
fn arguments(dice: &mut Dice, seen: &Seen, tool: &str, schema: &Value) -> Value {
    let mut made = object(dice, seen, schema);
    let of_kind = seen.types.iter().filter(|(_, kind)| tool.strip_prefix("edit_") == Some(kind.as_str()));
    let of_kind = dice.pick_text(of_kind.map(|(id, _)| id));
    if let Some(file) = of_kind.filter(|_| dice.percent(92)) {
        made["file_id"] = json!(file);
    }
    let changed = made.get("comment_id").unwrap_or(&made["file_id"]);
    let etag = changed.as_str().and_then(|id| seen.etags.get(id));
    if let Some(etag) = etag.filter(|_| schema["properties"]["if_match"].is_object() && dice.percent(92)) {
        made["if_match"] = json!(etag);
    }
    let hash = made["proposal_id"].as_str().and_then(|id| seen.hashes.get(id));
    if let Some(hash) = hash.filter(|_| schema["properties"]["proposal_sha256"].is_object() && dice.percent(92)) {
        made["proposal_sha256"] = json!(hash);
    }
    // Derived by the service, so that a call does not repeat another.
    if dice.percent(90) {
        made.as_object_mut().expect("arguments").remove("idempotency_key");
    }
    if let Some((_, right)) = OPERATIONS.iter().find(|(name, _)| *name == tool && dice.percent(75)) {
        let right: Vec<Value> = serde_json::from_str(right).expect("operations");
        let mut operations: Vec<Value> = right.into_iter().filter(|_| dice.percent(60)).collect();
        for operation in &mut operations {
            if !dice.percent(25) {
                continue;
            }
            let other = object(dice, seen, &schema["properties"]["operations"]["items"]);
            for (name, changed) in other.as_object().expect("an operation") {
                operation[name] = changed.clone();
            }
        }
        made["operations"] = json!(operations);
    }
    made
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn callers(stage: &Stage) -> [Caller; 3] {
    let actor = |name: &str, kind: &str| {
        let caller = stage.caller(name).scope("cloud.write cloud.approve cloud.webhooks");
        caller.claim("actor", json!({"type": kind, "id": format!("{kind}-7"), "display_name": kind}))
    };
    [actor("ada", "user"), actor("bob", "user"), actor("robot", "agent")]
}

#[shared_testing::test]
async fn no_arguments_make_a_tool_fail_by_our_fault() {
    // Whatever is a fault is logged, and the stage looks at that when it ends.
    let stage = Stage::of(service()).await;
    let mut callers = callers(&stage);
    let listed = message(&callers[0], "tools/list", json!({})).await.status(200);
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let mut seen = Seen::default();
    for kind in ["document", "spreadsheet", "note", "publication", "presentation", "folder"] {
        let made = message(
            &callers[0],
            "tools/call",
            json!({"name": "create_file", "arguments": {"type": kind, "name": kind}}),
        );
        seen.note(&made.await.status(200)["result"]["structuredContent"]);
    }
    let (mut done, seed) = (BTreeMap::<String, u64>::new(), number("TOOL_SEED", 1));
    for call in 0..number("TOOL_CALLS", CALLS) {
        let mut dice = Dice::of(seed.wrapping_mul(1_000_003) + call);
        if call % CALLS_PER_TOKEN == CALLS_PER_TOKEN - 1 {
            callers = self::callers(&stage);
        }
        // So that no limit of a minute is reached.
        stage.clock.advance(Duration::from_secs(2));
        let weights = tools.iter().map(|tool| match tool["name"].as_str().expect("a name") {
            // It waits for a minute.
            "await_decision" => (0, tool),
            name if name.starts_with("edit_") || name == "create_file" => (5, tool),
            _ => (1, tool),
        });
        let tool = dice.weighted(weights).expect("a tool");
        let caller = dice.weighted([6, 2, 2].into_iter().zip(&callers)).expect("a caller");
        let name = tool["name"].as_str().expect("a name");
        let arguments = arguments(&mut dice, &seen, name, &tool["inputSchema"]);
        let answer = message(caller, "tools/call", json!({"name": name, "arguments": arguments})).await;
        let about = format!("{name} {arguments}: {answer}");
        assert_eq!(answer.status, 200, "{about}");
        let result = &answer["result"];
        if result.is_null() {
            // The protocol's own refusals, without "internal error".
            assert!(matches!(answer["error"]["code"].as_i64(), Some(-32_602 | -32_600)), "{about}");
            continue;
        }
        let error = &result["structuredContent"]["error"];
        assert_ne!(error["code"], "internal_error", "{about}");
        assert_eq!(result["isError"].as_bool().unwrap_or_default(), error.is_object(), "{about}");
        seen.note(&result["structuredContent"]);
        *done.entry(name.to_owned()).or_default() += u64::from(!error.is_object());
    }
    println!("succeeded: {done:?}");
    assert!(done.values().sum::<u64>() > CALLS / 10, "too few calls succeed: {done:?}");
}
