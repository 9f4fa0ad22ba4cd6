//! Random histories of Locker: owners of rooms have the connections to their models tested, and everybody reads, while the
//! service is killed and answers are lost. A model says which answers are possible; see [`shared_testing::histories`].

use std::collections::BTreeMap;

use locker_svc::service;
use serde_json::{Value, json};
use shared_testing::{
    Caller, ServiceProcess,
    histories::{self, Command, Dice, Expected, Ground, Model},
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

/// Operations that answer in a way of their own.
const ELSEWHERE: [&str; 1] = ["send_mcp_message"];

#[rustfmt::skip]
const GENERATORS: &[(&str, u64, Generator)] = &[
    ("queue_model_test", 30, queue),
    ("read_operation", 30, read),
    ("read_command", 3, unknown),
    ("list_subscriptions", 3, subscriptions),
    ("get_catalogue", 2, read_catalogue),
    ("list_export_parts", 1, |turn| Some(missing(turn.anyone(), "list_export_parts", "parts"))),
    ("get_export_manifest", 1, |turn| Some(missing(turn.anyone(), "get_export_manifest", "manifest"))),
    ("download_part", 1, download),
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

#[derive(Clone, Debug, Default, PartialEq)]
struct Locker {
    tests: Vec<Test>,
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

fn missing(who: &'static str, operation: &'static str, of: &str) -> Command<Locker> {
    let path = format!("/api/v1/exports/{}/{of}", id("exp", 1));
    Command::get(operation, who, path).does(move |_: &mut Locker, _| {
        let refused = if who == "billing" { "insufficient_scope" } else { "not_found" };
        Expected::refused(refused)
    })
}

fn download(turn: &mut Turn<'_>) -> Option<Command<Locker>> {
    let command = Command::get("download_part", turn.anyone(), "/downloads/invented");
    Some(command.does(|_: &mut Locker, _| Expected::refused("grant_invalid")))
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

fn operations() -> Vec<&'static str> {
    GENERATORS.iter().map(|(operation, _, _)| *operation).collect()
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
        (ground, Locker::default())
    };
    histories::look(&operations(), (4, LENGTH), ground).await;
}

#[test]
fn every_operation_is_in_the_histories() {
    histories::compare(&service(), &operations(), &ELSEWHERE);
}
