//! Random histories of Locker. Owners of rooms have the connections to their models tested, and everybody reads.
//! Meanwhile the service is killed and answers are lost. A model says which answers are possible; see
//! [`shared_testing::histories`].

use std::collections::BTreeMap;

use locker_svc::service;
use serde_json::{Value, json};
use shared_testing::{
    Caller, ServiceProcess,
    histories::{self, Command, Coverage, Dice, Expected, Ground, Model},
};

use crate::{
    model_server as model_of_room,
    samples::{attest_by_command, catalogue, catalogue_line, id, room, subscription, succeed},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_locker-svc");
const SETTINGS: &[(&str, &str)] = &[
    ("RUST_LOG", "off"),
    ("RATE_LIMITS", "read=1000000,command=1000000,catalogue=1000000,download=1000000"),
    ("OUTBOUND_ALLOW", "127.0.0.1"),
];
const LENGTH: usize = 200;

type Refused = Vec<&'static str>;
type Generator = fn(&mut Turn<'_>) -> Option<Command<Locker>>;

#[rustfmt::skip]
const GENERATORS: &[(&str, u64, Generator)] = &[
    ("queue_model_test", 30, queue),
    ("read_operation", 30, read),
    ("read_command", 3, unknown),
    ("list_subscriptions", 3, subscriptions),
    ("get_catalogue", 2, read_catalogue),
    ("list_export_parts", 3, list_parts),
    ("get_export_manifest", 1, read_manifest),
    ("download_part", 3, download),
    ("read_openapi", 1, |turn| Some(constant(turn.anyone(), "read_openapi", "/openapi.json"))),
    ("read_protected_resource", 1, |turn| {
        Some(constant(turn.anyone(), "read_protected_resource", "/.well-known/oauth-protected-resource"))
    }),
    ("read_mcp_protected_resource", 1, |turn| {
        Some(constant(turn.anyone(), "read_mcp_protected_resource", "/.well-known/oauth-protected-resource/mcp"))
    }),
];

const ALL: [&str; 6] = ["ada", "ada", "ada_again", "bob", "bob", "billing"];
/// The owner of each room; the last one is suspended.
const ROOMS: [&str; 5] = ["ada", "ada", "bob", "bob", "ada"];
const SUSPENDED: u32 = 5;

/// What is exported of the first room, in parts of this length.
const EXPORTED: &str = "what there is to export";
const PART_BYTES: usize = 8;

#[derive(Clone, Debug, PartialEq)]
struct Locker {
    tests: Vec<Test>,
    /// Of the room's owner.
    export: String,
    /// Each with the part to which it leads.
    links: Vec<(String, &'static str)>,
}

#[derive(Clone, Debug, PartialEq)]
struct Test {
    id: String,
    room: u32,
    owner: &'static str,
    /// Whether an answer has told that it ended.
    has_ended: bool,
}

struct Turn<'a> {
    locker: &'a Locker,
    dice: &'a mut Dice,
    n: &'a str,
}

impl Turn<'_> {
    fn anyone(&mut self) -> &'static str {
        self.dice.of_these(&ALL)
    }
}

/// One person may have two grants.
fn owner(who: &'static str) -> &'static str {
    if who == "ada_again" { "ada" } else { who }
}

/// `billing` has one scope only.
fn may(who: &str, is_billing: bool) -> Result<(), Refused> {
    if who == "billing" && !is_billing { Err(vec!["insufficient_scope"]) } else { Ok(()) }
}

fn queue(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let (other, room, n) = (turn.anyone(), 1 + turn.dice.below(6), turn.n.to_owned());
    let room = u32::try_from(room).expect("a number");
    let known = ROOMS.get(room as usize - 1).copied();
    let who = known.filter(|_| turn.dice.percent(70)).unwrap_or(other);
    let path = format!("/api/v1/rooms/{}/onboarding/model-test", id("room", room));
    let command = Command::post("queue_model_test", who, path, json!({})).scope(owner(who));
    Some(command.does(move |locker: &mut Locker, _| {
        let allowed = may(who, false).and_then(|()| match known {
            Some(known) if known == owner(who) => Ok(()),
            _ => Err(vec!["not_found"]),
        });
        if let Err(refused) = allowed {
            return Err(refused).into();
        }
        if room == SUSPENDED {
            return Expected::refused("room_state_conflict");
        }
        let mut earlier = locker.tests.iter_mut().filter(|test| test.room == room && !test.has_ended).peekable();
        let may_run = earlier.peek().is_some();
        // A room has one test at a time, so this one tells that the others have ended.
        earlier.for_each(|test| test.has_ended = true);
        locker.tests.push(Test { id: format!("$op{n}"), room, owner: owner(who), has_ended: false });
        let receipt = json!({"operation_id": format!("$op{n}"), "status": "queued", "room_id": id("room", room)});
        let queued = Expected::success(json!({"data": receipt})).with_status(202);
        if may_run { queued.or_refused("operation_in_progress") } else { queued }
    }))
}

fn read(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let test = turn.dice.pick(&turn.locker.tests, |test| &test.id)?.clone();
    let who = if turn.dice.percent(80) { test.owner } else { turn.anyone() };
    Some(read_of(who, test.id))
}

fn read_of(who: &'static str, operation: String) -> Command<Locker> {
    let path = format!("/api/v1/operations/{operation}");
    Command::get("read_operation", who, path).does(move |locker: &mut Locker, seen| {
        may(who, false)?;
        let found = locker.tests.iter_mut().find(|test| test.id == operation && test.owner == owner(who));
        let test = found.ok_or_else(|| vec!["not_found"])?;
        let status = seen.answer.map_or(&Value::Null, |answer| &answer["data"]["status"]);
        test.has_ended |= status == "succeeded";
        let is_possible = test.has_ended || status == "queued" || status == "running";
        let status = if test.has_ended { json!("succeeded") } else { status.clone() };
        if is_possible {
            Ok(json!({"data": {"operation_id": test.id, "status": status, "room_id": id("room", test.room)}}))
        } else {
            Err(vec!["queued, running or succeeded"])
        }
    })
}

fn look_up(who: &'static str, key: String) -> Command<Locker> {
    let asks = Command::get("read_command", who, format!("/api/v1/idempotency/{key}"));
    asks.does(move |_: &mut Locker, seen| {
        may(who, false)?;
        Ok::<_, Refused>(json!({"data": seen.in_data().commands_of_key(owner(who), &key, 202)}))
    })
}

/// The commands with a key that nobody has used.
fn unknown(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    Some(look_up(turn.anyone(), format!("unused-{}", turn.n)))
}

fn subscriptions(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let who = turn.anyone();
    let command = Command::get("list_subscriptions", who, "/api/v1/billing/subscriptions");
    Some(command.tool("list_subscriptions", json!({})).does(move |_: &mut Locker, _| {
        let own: Vec<Value> = match owner(who) {
            "ada" => vec![json!({"id": id("sub", 2)}), json!({"id": id("sub", 1)})],
            _ => Vec::new(),
        };
        Expected::success(json!({"data": own, "meta": {"next_cursor": null}}))
    }))
}

fn read_catalogue(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let command = Command::get("get_catalogue", turn.anyone(), "/api/v1/catalogue").tool("get_catalogue", json!({}));
    let products = json!([{"sku": "room-s", "amount_minor": 2500}, {"sku": "room-l", "amount_minor": 9900}]);
    Some(command.does(move |_: &mut Locker, _| Expected::success(json!({"data": {"products": products}}))))
}

/// The bytes of each part of the export.
fn parts() -> impl Iterator<Item = &'static str> {
    let starts = (0..EXPORTED.len()).step_by(PART_BYTES);
    starts.map(|start| &EXPORTED[start..EXPORTED.len().min(start + PART_BYTES)])
}

/// The export, or one that nobody has.
fn export(turn: &mut Turn<'_>) -> String {
    if turn.dice.percent(80) { turn.locker.export.clone() } else { id("exp", 1) }
}

fn see(locker: &Locker, who: &'static str, export: &str) -> Result<(), Refused> {
    may(who, false)?;
    if export == locker.export && owner(who) == ROOMS[0] { Ok(()) } else { Err(vec!["not_found"]) }
}

/// Each time with new links.
fn list_parts(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let (who, export, n) = (turn.anyone(), export(turn), turn.n.to_owned());
    let command = Command::get("list_export_parts", who, format!("/api/v1/exports/{export}/parts"));
    Some(command.tool("list_export_parts", json!({"export": export})).does(move |locker: &mut Locker, _| {
        see(locker, who, &export)?;
        let mut listed = Vec::new();
        for (index, part) in parts().enumerate() {
            let link = format!("$xlink{n}_{index}");
            listed.push(json!({"index": index, "bytes": part.len(), "download": {"url": link}}));
            locker.links.push((link, part));
        }
        let data = json!({"export_id": export, "bytes": EXPORTED.len(), "parts": listed, "next_cursor": null});
        Ok::<_, Refused>(json!({"data": data}))
    }))
}

/// Signed once, so it is always the same.
fn read_manifest(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let (who, export) = (turn.anyone(), export(turn));
    let command = Command::get("get_export_manifest", who, format!("/api/v1/exports/{export}/manifest"));
    Some(command.does(move |locker: &mut Locker, _| {
        see(locker, who, &export)?;
        Ok::<_, Refused>(json!("$manifest"))
    }))
}

/// By anyone who has the link, while it is good: for two minutes.
fn download(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let known = turn.dice.pick(&turn.locker.links, |(link, _)| link).cloned();
    let Some((link, part)) = known.filter(|_| turn.dice.percent(90)) else {
        let command = Command::get("download_part", turn.anyone(), "/downloads/invented");
        return Some(command.does(|_: &mut Locker, _| Expected::refused("grant_invalid")));
    };
    let command = Command::get("download_part", turn.anyone(), link);
    Some(command.does(move |_: &mut Locker, _| Expected::success(json!(part)).or_refused("grant_invalid")))
}

fn constant(who: &'static str, operation: &'static str, path: &str) -> Command<Locker> {
    Command::get(operation, who, path).does(|_: &mut Locker, _| Expected::success(json!({})))
}

impl Model for Locker {
    fn command(&self, dice: &mut Dice, number: &str) -> Option<Command<Self>> {
        let all = GENERATORS.iter().map(|(_, weight, make)| (*weight, *make));
        histories::choose(dice, all, |dice, make| make(&mut Turn { locker: self, dice, n: number }))
    }

    fn ending(&self, phase: u32) -> Option<Vec<Command<Self>>> {
        let reads = || self.tests.iter().map(|test| read_of(test.owner, test.id.clone())).collect();
        (phase == 0).then(reads)
    }

    fn tells(&self) -> Command<Self> {
        match self.tests.last() {
            Some(test) => read_of(test.owner, test.id.clone()),
            None => constant("ada", "read_openapi", "/openapi.json"),
        }
    }

    fn look_up(&self, command: &Command<Self>) -> Option<Command<Self>> {
        Some(look_up(command.who, command.key.clone()?))
    }

    /// Once the test has ended, there is nothing to poll for.
    fn repeated(mut body: Value) -> Expected {
        body["data"]["poll_after_seconds"] = json!("*");
        Expected::success(body).or_status(202)
    }
}

fn cast(process: &ServiceProcess) -> BTreeMap<&'static str, Caller> {
    let tomorrow = shared_runtime::Clock::System.now().seconds() + 86_400;
    let all = [
        ("ada", process.caller("ada")),
        ("ada_again", process.caller("ada").claim("grant_id", "another-grant-of-ada")),
        ("bob", process.caller("bob")),
        ("billing", process.caller("billing").scope("locker.billing.read")),
    ];
    all.into_iter().map(|(name, caller)| (name, caller.claim("exp", tomorrow))).collect()
}

fn coverage() -> Coverage {
    Coverage {
        operations: GENERATORS.iter().map(|(operation, _, _)| *operation).collect(),
        elsewhere: &[("send_mcp_message", "every command that a tool makes is sent there, too")],
        never: &[],
        tools: &["get_catalogue", "list_subscriptions", "list_export_parts"],
        tools_elsewhere: &[],
    }
}

/// Exports the first room; the id of the export.
fn exported(child: &ServiceProcess) -> String {
    let file = child.folder().join("package.txt");
    std::fs::write(&file, EXPORTED).expect("the file is written");
    let (room, bytes, path) = (id("room", 1), PART_BYTES.to_string(), file.display().to_string());
    let words = ["export", "build", "--room", &room, "--part-bytes", &bytes, &path];
    let output = child.command(&words).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[shared_testing::test]
async fn no_history_has_an_answer_that_the_model_does_not_know() {
    let model = model_of_room::saying("ready");
    let ground = async |_| {
        let ground = Ground::new(PROGRAM, service(), SETTINGS, cast).await;
        let child = ground.process();
        attest_by_command(child);
        let rooms = (1..).zip(ROOMS).map(|(number, owner)| {
            let mut line = room(owner, number, 1, &model_of_room::url(&model));
            if number == SUSPENDED {
                line["room"]["state"] = json!("suspended");
            }
            line
        });
        let rest = [catalogue_line(&catalogue()), subscription("ada", 1, 0), subscription("ada", 2, 1)];
        let lines: Vec<String> = rooms.chain(rest).map(|line| line.to_string()).collect();
        let file = child.folder().join("import.jsonl");
        std::fs::write(&file, lines.join("\n")).expect("the file is written");
        succeed(child, &["import", &file.display().to_string()]);
        let export = exported(child);
        (ground, Locker { tests: Vec::new(), export, links: Vec::new() })
    };
    histories::look(&coverage(), (4, LENGTH), ground).await;
}

#[test]
fn every_operation_and_tool_is_in_the_histories() {
    histories::compare(&service(), &coverage());
}
