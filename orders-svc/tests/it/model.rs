//! Random histories of orders. Their owners place and read them, and an operator moves them. Meanwhile the service is
//! killed and answers are lost. A model says which answers are possible; see [`shared_testing::histories`].

use std::{cmp::Reverse, collections::BTreeMap};

use orders_svc::service;
use serde_json::{Value, json};
use shared_testing::{
    Caller, ServiceProcess,
    histories::{self, Command, Coverage, Dice, Expected, Ground, Model},
};

use crate::samples::PREFIX;

const PROGRAM: &str = env!("CARGO_BIN_EXE_orders-svc");
const SETTINGS: &[(&str, &str)] = &[("RUST_LOG", "off"), ("RATE_LIMITS", "read=1000000,write=1000000")];
/// Commands of one history: few enough that a list has all orders of an owner on one page.
const LENGTH: usize = 150;

type Refused = Vec<&'static str>;
type Generator = fn(&mut Turn<'_>) -> Option<Command<Orders>>;

#[rustfmt::skip]
const GENERATORS: &[(&str, u64, Generator)] = &[
    ("create_order", 30, create),
    ("read_order", 20, read),
    ("list_orders", 10, |turn| Some(list(turn.anyone(), 1 + turn.dice.below(100)))),
    ("read_command", 3, unknown),
    ("read_openapi", 1, |turn| constant(turn, "read_openapi", "/openapi.json")),
    ("read_protected_resource", 1, |t| constant(t, "read_protected_resource", "/.well-known/oauth-protected-resource")),
    ("read_mcp_protected_resource", 1, |turn| {
        constant(turn, "read_mcp_protected_resource", "/.well-known/oauth-protected-resource/mcp")
    }),
];

/// What the operator does.
const OPERATOR: &[(u64, Generator)] = &[(12, move_to), (6, show), (4, open_or_close)];

const ALL: [&str; 10] = ["ada", "ada", "ada", "ada_again", "bob", "bob", "reader", "writer", "writer", "agent"];

/// The states that can follow, as docs and the OpenAPI document say.
fn followers(state: &str) -> &'static [&'static str] {
    match state {
        "placed" => &["awaiting_payment", "paid", "cancelled", "expired", "failed"],
        "awaiting_payment" => &["paid", "cancelled", "expired", "failed"],
        "paid" => &["provisioning", "completed", "cancelled", "failed", "refunded"],
        "provisioning" => &["completed", "cancelled", "failed", "refunded"],
        "completed" | "cancelled" | "expired" | "failed" => &["refunded"],
        _ => &[],
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Orders {
    orders: Vec<Order>,
    is_closed: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Order {
    id: String,
    /// Of its only line, and of no other order.
    sku: String,
    owner: &'static str,
    quantity: i64,
    paid: i64,
    refunded: i64,
    /// Its states so far.
    steps: Vec<&'static str>,
}

const UNIT: i64 = 250;

impl Order {
    fn state(&self) -> &'static str {
        self.steps.last().expect("an order has a state")
    }

    fn total(&self) -> i64 {
        UNIT * self.quantity
    }

    fn record(&self) -> Value {
        let is_void = ["cancelled", "expired", "failed", "refunded"].contains(&self.state());
        let due = if is_void { 0 } else { self.total() - self.paid };
        let steps: Vec<Value> = self.steps.iter().map(|state| json!({"state": state})).collect();
        json!({
            "id": self.id, "state": self.state(), "version": self.steps.len(), "timeline": steps,
            "amounts": {
                "total_minor": self.total(), "paid_minor": self.paid, "refunded_minor": self.refunded, "due_minor": due,
            },
            "lines": [{"sku": self.sku, "quantity": self.quantity, "total_minor": self.total()}],
        })
    }

    fn move_to(&mut self, state: &'static str) -> Result<(), Refused> {
        if !followers(self.state()).contains(&state) || state == "refunded" && self.paid == 0 {
            return Err(vec!["refused"]);
        }
        match state {
            "paid" => self.paid = self.total(),
            "refunded" => self.refunded = self.paid,
            _ => {}
        }
        self.steps.push(state);
        Ok(())
    }
}

impl Orders {
    fn may(&self, who: &str, does: &str) -> Result<(), Refused> {
        let lacks = who == "agent" || who == "reader" && does == "write" || who == "writer" && does == "read";
        if lacks { Err(vec!["insufficient_scope"]) } else { Ok(()) }
    }

    fn must_be_open(&self) -> Result<(), Refused> {
        if self.is_closed { Err(vec!["ordering_closed"]) } else { Ok(()) }
    }
}

struct Turn<'a> {
    orders: &'a Orders,
    dice: &'a mut Dice,
    n: &'a str,
}

impl Turn<'_> {
    fn anyone(&mut self) -> &'static str {
        self.dice.of_these(&ALL)
    }

    fn order(&mut self) -> Option<Order> {
        self.dice.pick(&self.orders.orders, |order| &order.id).cloned()
    }
}

/// One person may have two grants.
fn owner(who: &'static str) -> &'static str {
    if who == "ada_again" { "ada" } else { who }
}

fn create(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    let (who, n, quantity) = (turn.anyone(), turn.n.to_owned(), 1 + turn.dice.below(9).cast_signed());
    let (id, sku) = (format!("$order{n}"), format!("item-{n}"));
    let order = Order { id, sku, owner: owner(who), quantity, paid: 0, refunded: 0, steps: vec!["placed"] };
    let is_expected = turn.dice.percent(90);
    let body = json!({
        "lines": [{"sku": order.sku, "name": "An item", "quantity": quantity, "unit_minor": UNIT}],
        "payment_method": "card", "expected_total_minor": if is_expected { order.total() } else { 1 },
    });
    Some(Command::post("create_order", who, PREFIX, body).scope(owner(who)).does(move |orders: &mut Orders, _| {
        orders.may(who, "write")?;
        match (is_expected, orders.must_be_open()) {
            (true, open) => open?,
            (false, open) => return Err([vec!["invalid_field"], open.err().unwrap_or_default()].concat()),
        }
        orders.orders.push(order.clone());
        Ok(json!({"data": order.record()}))
    }))
}

fn read(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    let (other, order) = (turn.anyone(), turn.order()?);
    let who = if turn.dice.percent(60) { order.owner } else { other };
    Some(read_of(who, order.id))
}

fn read_of(who: &'static str, id: String) -> Command<Orders> {
    let command = Command::get("read_order", who, format!("{PREFIX}/{id}"));
    command.tool("read_order", json!({"order_id": id})).does(move |orders: &mut Orders, _| {
        orders.may(who, "read")?;
        orders.must_be_open()?;
        let found = orders.orders.iter().find(|order| order.id == id && order.owner == owner(who));
        found.map(|order| json!({"data": order.record()})).ok_or_else(|| vec!["not_found"])
    })
}

fn list(who: &'static str, limit: u64) -> Command<Orders> {
    let command = Command::get("list_orders", who, format!("{PREFIX}?limit={limit}"));
    command.tool("list_orders", json!({"limit": limit})).does(move |orders: &mut Orders, seen| {
        orders.may(who, "read")?;
        orders.must_be_open()?;
        let listed = seen.answer.and_then(|answer| answer["data"].as_array()).map_or(&[][..], Vec::as_slice);
        let times: Vec<(Reverse<&str>, Reverse<&str>)> = listed
            .iter()
            .map(|order| {
                (Reverse(order["placed_at"].as_str().unwrap_or("")), Reverse(order["id"].as_str().unwrap_or("")))
            })
            .collect();
        if !times.is_sorted() {
            return Err(vec!["newest first"]);
        }
        // An order whose answer was lost may have been placed before one that was sent later, or after it.
        let place = |order: &&Order| listed.iter().position(|one| one["lines"][0]["sku"] == order.sku);
        let mut own: Vec<&Order> = orders.orders.iter().filter(|order| order.owner == owner(who)).collect();
        own.sort_by_key(|order| place(order).unwrap_or(usize::MAX));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let next = if own.len() > limit { json!("*") } else { Value::Null };
        let page: Vec<Value> = own.iter().take(limit).map(|order| order.record()).collect();
        Ok(json!({"data": page, "meta": {"next_cursor": next}}))
    })
}

fn look_up(who: &'static str, key: String) -> Command<Orders> {
    let asks = Command::get("read_command", who, format!("/wp-json/service-net/v1/idempotency/{key}"));
    asks.does(move |orders: &mut Orders, seen| {
        orders.may(who, "look up")?;
        Ok::<_, Refused>(json!({"data": seen.in_data().commands_of_key(owner(who), &key, 200)}))
    })
}

/// The commands with a key that nobody has used.
fn unknown(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    Some(look_up(turn.anyone(), format!("unused-{}", turn.n)))
}

fn constant(turn: &mut Turn<'_>, operation: &'static str, path: &'static str) -> Option<Command<Orders>> {
    Some(Command::get(operation, turn.anyone(), path).does(|_: &mut Orders, _| Expected::success(json!({}))))
}

fn move_to(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    let order = turn.order()?;
    let possible = followers(order.state());
    let state = match turn.dice.percent(80) && !possible.is_empty() {
        true => turn.dice.of_these(possible),
        false => turn.dice.of_these(&["placed", "awaiting_payment", "paid", "completed", "refunded"]),
    };
    let seen_version = order.steps.len() - usize::from(turn.dice.percent(10));
    let (id, version) = (order.id, seen_version.to_string());
    let command = Command::operator("move", &["order", "move", &id, state, "--version", &version]);
    Some(command.does(move |orders: &mut Orders, _| {
        let order = orders.orders.iter_mut().find(|order| order.id == id).ok_or_else(|| vec!["refused"])?;
        if order.steps.len() != seen_version {
            return Err(vec!["refused"]);
        }
        order.move_to(state)?;
        Ok(json!({"owner": order.owner, "order": order.record()}))
    }))
}

fn show(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    let id = turn.order()?.id;
    Some(Command::operator("show", &["order", "show", &id]).does(move |orders: &mut Orders, _| {
        let order = orders.orders.iter().find(|order| order.id == id).ok_or_else(|| vec!["refused"])?;
        Ok::<_, Refused>(json!({"owner": order.owner, "order": order.record()}))
    }))
}

/// Closed ordering is opened again soon: it lets nobody do anything.
fn open_or_close(turn: &mut Turn<'_>) -> Option<Command<Orders>> {
    Some(set_closed(!turn.orders.is_closed && turn.dice.percent(40)))
}

fn set_closed(is_closed: bool) -> Command<Orders> {
    let word = if is_closed { "close" } else { "open" };
    Command::operator(word, &["ordering", word]).does(move |orders: &mut Orders, _| {
        orders.is_closed = is_closed;
        Expected::success(json!("*"))
    })
}

impl Model for Orders {
    fn command(&self, dice: &mut Dice, number: &str) -> Option<Command<Self>> {
        let all = GENERATORS.iter().map(|(_, weight, make)| (*weight, *make)).chain(OPERATOR.iter().copied());
        histories::choose(dice, all, |dice, make| make(&mut Turn { orders: self, dice, n: number }))
    }

    fn ending(&self, phase: u32) -> Option<Vec<Command<Self>>> {
        match phase {
            0 => Some(vec![set_closed(false)]),
            1 => {
                let reads = self.orders.iter().map(|order| read_of(order.owner, order.id.clone()));
                let lists = ["ada", "ada_again", "bob"].into_iter().map(|who| list(who, 100));
                Some(reads.filter(|read| read.who != "writer").chain(lists).collect())
            }
            _ => None,
        }
    }

    fn tells(&self) -> Command<Self> {
        list("ada", 100)
    }

    fn look_up(&self, command: &Command<Self>) -> Option<Command<Self>> {
        Some(look_up(command.who, command.key.clone()?))
    }
}

fn cast(process: &ServiceProcess) -> BTreeMap<&'static str, Caller> {
    let tomorrow = shared_runtime::Clock::System.now().seconds() + 86_400;
    let all = [
        ("ada", process.caller("ada")),
        ("ada_again", process.caller("ada").claim("grant_id", "another-grant-of-ada")),
        ("bob", process.caller("bob")),
        ("reader", process.caller("reader").scope("net.orders.read")),
        ("writer", process.caller("writer").scope("net.orders.write")),
        ("agent", process.caller("agent").claim("grant_kind", "agent")),
    ];
    all.into_iter().map(|(name, caller)| (name, caller.claim("exp", tomorrow))).collect()
}

fn coverage() -> Coverage {
    Coverage {
        operations: GENERATORS.iter().map(|(operation, _, _)| *operation).collect(),
        elsewhere: &[("send_mcp_message", "every command that a tool makes is sent there, too")],
        never: &[],
        tools: &["read_order", "list_orders"],
        tools_elsewhere: &[],
    }
}

#[shared_testing::test]
async fn no_history_has_an_answer_that_the_model_does_not_know() {
    let ground = async |_| (Ground::new(PROGRAM, service(), SETTINGS, cast).await, Orders::default());
    histories::look(&coverage(), (4, LENGTH), ground).await;
}

#[test]
fn every_operation_and_tool_is_in_the_histories() {
    histories::compare(&service(), &coverage());
}
