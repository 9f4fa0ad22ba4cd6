//! Webhooks, with endpoints on loopback.

mod attempts;
mod cancelled;
mod dispatch;
mod listed;
mod manage;
mod mirrored;
mod new_secret;
mod pages;
mod worst_day;

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use cloud_svc::{
    base::tables::{webhook_deliveries as deliveries, webhooks},
    news::webhooks::store::{self, Wanted},
    service,
};
use diesel::prelude::*;
use serde_json::{Value, json};
use shared_runtime::state::db::announce;
use shared_testing::{
    Caller, Request, Response, Stage, Text,
    hostile_server::{HostileServer, Wire, answer},
};

use crate::samples;

/// A stage that may call this machine.
async fn stage() -> Stage {
    let stage = Stage::of(service()).settings(|settings| {
        settings.outbound_allow = vec!["127.0.0.1/32".parse().expect("a network")];
        // Tests poll, on a slow machine many times, and the clock stands still.
        settings.rate_limits.0.push(("read".to_owned(), 1_000_000));
    });
    stage.await
}

/// An endpoint that answers challenges, and all else with a status that can be set.
struct Receiver {
    server: HostileServer,
    status: Arc<AtomicU16>,
}

impl Receiver {
    fn start() -> Self {
        Self::answering(200)
    }

    fn answering(status: u16) -> Self {
        let status = Arc::new(AtomicU16::new(status));
        let answered = Arc::clone(&status);
        let server =
            HostileServer::http(move |stream, request| respond(stream, request, answered.load(Ordering::SeqCst)));
        Self { server, status }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.server.address)
    }

    fn answer(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    /// The requests that it received: heads and bodies.
    fn heard(&self) -> Vec<(String, Value)> {
        let requests = self.server.requests();
        let parts = requests.iter().map(|request| request.split_once("\r\n\r\n").expect("a head"));
        parts.map(|(head, body)| (head.to_owned(), serde_json::from_str(body).expect("JSON"))).collect()
    }

    /// The types of the messages that it received.
    fn types(&self) -> Vec<String> {
        self.heard().into_iter().map(|(_, body)| body["type"].text().to_owned()).collect()
    }

    /// The messages that it received, without challenges.
    fn events(&self) -> Vec<(String, Value)> {
        self.heard().into_iter().filter(|(_, body)| body["type"] != "webhook.verification").collect()
    }
}

/// An endpoint that answers challenges, and nothing else.
fn stuck() -> HostileServer {
    HostileServer::http(|stream, request| {
        if request.contains("challenge") {
            return respond(stream, request, 200);
        }
        while stream.read(&mut [0; 100])? > 0 {}
        Ok(())
    })
}

/// Answers a challenge with itself, and all else with the status.
fn respond(stream: &mut dyn Wire, request: &str, status: u16) -> io::Result<()> {
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let reply = match body["data"]["challenge"].as_str() {
        Some(challenge) => answer(200, "", &json!({"challenge": challenge}).to_string()),
        None => answer(status, "", "{}"),
    };
    stream.write_all(reply.as_bytes())
}

pub fn find_header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

pub fn header<'h>(head: &'h str, name: &str) -> &'h str {
    find_header(head, name).unwrap_or_else(|| panic!("no {name} in {head}"))
}

fn create(caller: &Caller, url: &str, events: Value) -> Request {
    caller.post("/v1/webhooks").fresh_key().json(json!({"url": url, "events": events}))
}

fn command(caller: &Caller, id: &str, verb: &str, body: Value) -> Request {
    caller.post(format!("/v1/webhooks/{id}/{verb}")).fresh_key().json(body)
}

fn id(response: &Response) -> String {
    response["webhook"]["id"].text().to_owned()
}

async fn webhook(caller: &Caller, id: &str) -> Value {
    caller.get(format!("/v1/webhooks/{id}")).await.status(200)["webhook"].clone()
}

async fn deliveries(caller: &Caller, id: &str) -> Vec<Value> {
    let list = caller.get(format!("/v1/webhooks/{id}/deliveries?limit=100")).await.status(200);
    list["items"].as_array().expect("items").clone()
}

/// Creates a webhook and waits until its endpoint has answered the challenge; returns the answer of its creation.
async fn active(caller: &Caller, url: &str, events: Value) -> Response {
    let created = create(caller, url, events).await.status(200);
    until(async || webhook(caller, &id(&created)).await["state"] == "active").await;
    created
}

/// Waits until the condition holds.
async fn until(is_so: impl AsyncFn() -> bool) {
    while !is_so().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Makes the dispatcher poll, and waits until nothing is left to make or to send.
async fn settled(stage: &Stage) {
    let nudge = |_: &mut _| {
        announce(1);
        Ok(())
    };
    let now = stage.now();
    // The lease of a delivery that is being sent. No other time that is due is the same to the microsecond.
    let lease_end = now.plus(Duration::from_secs(45));
    let idle = move |conn: &mut _| {
        // In this order: what is read from the feed in between has its deliveries in the table.
        if !store::behind(conn, &Wanted { limit: 1, ..Wanted::default() })?.is_empty() {
            return Ok(false);
        }
        let at_work = deliveries::due_at.le(now).or(deliveries::due_at.eq(lease_end));
        // A webhook in another state is sent nothing. The rows of its deliveries are cancelled by the sweep.
        let at_work: i64 = deliveries::table
            .inner_join(webhooks::table.on(webhooks::id.eq(deliveries::webhook_id)))
            .filter(webhooks::state.eq("active").or(webhooks::state.eq("pending")))
            .filter(at_work)
            .count()
            .get_result(conn)?;
        Ok(at_work == 0)
    };
    stage.context.write(nudge).await.expect("a nudge");
    until(async || stage.context.read(idle).await.expect("a look")).await;
}
