//! A service of one tool, which is called without a key.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use diesel::{RunQueryDsl as _, sql_query};
use serde::Serialize;
use serde_json::{Value, json};
use shared_model::Error;
use shared_runtime::{
    Answer, Caller, Conn, Context, Once, Permission, Routes, State, jobs,
    mcp::{self, Effect, Tool, Tools},
    service::Service,
    state::{db::Migrations, rate_limit::LimitClass},
};
use shared_testing::Stage;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use utoipa::ToSchema;

use crate::jobs::SURFACE;

const WRITE: LimitClass = LimitClass { name: "write", per_minute: 1_000 };
/// The seconds of a derived key.
const WINDOW: u64 = 600;

struct Make;

impl Permission for Make {
    const SCOPE: &'static str = "factory.make";
}

#[derive(Serialize, ToSchema)]
struct Thing {
    number: usize,
}

/// Holds the first thing that is made inside of its transaction.
struct Gate {
    begun: UnboundedSender<()>,
    held: Mutex<Option<mpsc::Receiver<()>>>,
    runs: AtomicUsize,
}

type Gated = State<Arc<Gate>>;

async fn make(_: Caller<Make>, State(gate): Gated, once: Once, context: Context) -> Result<Answer<Thing>, Error> {
    let now = context.clock.now();
    context
        .once(once, move |conn| {
            let number = gate.runs.fetch_add(1, Ordering::SeqCst);
            // The effect: a job that nobody works on.
            jobs::enqueue(conn, "thing", &number.to_string(), "", now)?;
            let held = gate.held.lock().expect("a lock").take();
            if let Some(held) = held {
                if let Conn::Postgres(conn) = conn {
                    // It would end an idle transaction after five seconds.
                    sql_query("SET LOCAL idle_in_transaction_session_timeout = 0").execute(conn)?;
                }
                gate.begun.send(()).expect("the test waits");
                held.recv().expect("the test releases it");
            }
            Ok(Answer::ok(&Thing { number })?)
        })
        .await
}

fn routes(routes: &mut Routes) {
    routes.post("/v1/things", "make_thing", &WRITE, make).summary("Makes a thing.");
    routes.post(mcp::PATH, "send_mcp_message", &WRITE, mcp::serve::<Make>).summary("A message.");
}

fn tools() -> Tools {
    Tools {
        instructions: "Things.",
        is_private: true,
        tools: vec![Tool::new("make_thing", Effect::Adds, &["make_thing"], "Makes a thing.").taking([])],
        resources: None,
        instead: |_| None,
        prompts: &[],
        complete: None,
    }
}

/// Calls the tool; its result.
async fn call(stage: &Stage) -> Value {
    let params = json!({"name": "make_thing", "arguments": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = stage.caller("ada").post("/mcp?structured=true");
    request.json(body).await.status(200)["result"].clone()
}

#[shared_testing::test]
async fn a_call_whose_outcome_was_unknown_is_not_done_again_in_the_next_window() {
    let (begun, mut has_begun) = unbounded_channel();
    let (release, held) = mpsc::channel();
    let gate = Arc::new(Gate { begun, held: Mutex::new(Some(held)), runs: AtomicUsize::new(0) });
    let service = Service::new(&SURFACE, routes, Migrations::NONE).tools(tools).state(move |_| Arc::clone(&gate));
    let stage = Stage::of(service).await;
    let seconds = stage.now().seconds().unsigned_abs() % WINDOW;
    stage.clock.advance(Duration::from_secs(WINDOW - 1 - seconds));
    // The caller goes away before the outcome is known.
    tokio::select! {
        biased;
        answer = call(&stage) => panic!("the first thing is held: {answer}"),
        begun = has_begun.recv() => begun.expect("it was begun"),
    }
    assert_eq!(stage.count("jobs"), 0);
    // Redis forgets the lock on the key two seconds after the caller has gone.
    tokio::time::sleep(Duration::from_millis(2_100)).await;

    stage.clock.advance(Duration::from_secs(5));
    let (again, ()) = tokio::join!(call(&stage), async {
        // The first is committed while the second waits.
        tokio::time::sleep(Duration::from_millis(500)).await;
        release.send(()).expect("the first waits");
    });
    assert_eq!(stage.count("jobs"), 1, "{again}");
    let body = &again["structuredContent"]["untrusted"];
    assert_eq!((&body["data"]["number"], &body["meta"]["replayed"]), (&json!(0), &json!(true)), "{again}");
}
