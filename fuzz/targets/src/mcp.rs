//! Whatever the message, `POST /mcp` of Cloud answers with an answer of JSON-RPC or an error object. It never answers
//! with an error of ours.

use std::{
    sync::{Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::Value;
use shared_testing::{Caller, Stage};
use tokio::sync::mpsc::UnboundedSender;

/// The first byte selects one.
const REVISIONS: [Option<&str>; 4] = [None, Some("2025-03-26"), Some("2025-11-25"), Some("2026-07-28")];
/// The tokens live for an hour, and each message moves the clock.
const MESSAGES_PER_TOKEN: u64 = 500;
const BETWEEN: Duration = Duration::from_secs(2);

/// A running service on a thread of its own.
struct Service {
    // Unbounded, because a fuzzer's thread cannot wait for a channel of an asynchronous one; there is one message at a time.
    messages: UnboundedSender<Vec<u8>>,
    /// What is wrong with the answer.
    answers: mpsc::Receiver<Option<String>>,
    thread: JoinHandle<()>,
}

static SERVICE: Mutex<Option<Service>> = Mutex::new(None);

pub fn run(bytes: &[u8]) {
    // A call that waits for changes would keep the fuzzer waiting, too.
    if bytes.is_empty() || crate::text::text(bytes).contains("wait") {
        return;
    }
    let mut service = SERVICE.lock().unwrap_or_else(PoisonError::into_inner);
    let service = service.get_or_insert_with(start);
    service.messages.send(bytes.to_vec()).expect("the service runs");
    let wrong = service.answers.recv().expect("the service runs");
    assert_eq!(wrong, None, "{}", String::from_utf8_lossy(bytes));
}

/// Stops the service, and removes its data.
pub fn end() {
    let service = SERVICE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Service { messages, thread, .. }) = service {
        drop(messages);
        thread.join().expect("the service has logged no failure");
    }
}

fn start() -> Service {
    let (messages, mut received) = tokio::sync::mpsc::unbounded_channel::<Vec<u8>>();
    let (wrong, answers) = mpsc::channel();
    let thread = thread::spawn(move || {
        shared_testing::run(async move {
            let stage = Stage::of(cloud_svc::service()).await;
            let (mut caller, mut count) = (stage.caller("ada"), 0);
            while let Some(message) = received.recv().await {
                count += 1;
                if count % MESSAGES_PER_TOKEN == 0 {
                    caller = stage.caller("ada");
                }
                // So that no limit of a minute is reached.
                stage.clock.advance(BETWEEN);
                let problem = problem(&caller, &message).await;
                wrong.send(problem).expect("somebody asks");
            }
        });
    });
    Service { messages, answers, thread }
}

async fn problem(caller: &Caller, message: &[u8]) -> Option<String> {
    let (revision, body) = message.split_first()?;
    let mut request = caller.post("/mcp").body("application/json", body);
    if let Some(revision) = REVISIONS[usize::from(*revision) % REVISIONS.len()] {
        request = request.header("mcp-protocol-version", revision);
    }
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) => return Some(format!("no answer: {error}")),
    };
    let (status, text) = (answer.status, answer.body());
    // A notification has no answer.
    let is_answer = match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(members)) => members.contains_key("jsonrpc") || members.contains_key("error"),
        Ok(_) => false,
        Err(_) => status == 202 && text.is_empty(),
    };
    (!is_answer || status >= 500).then(|| format!("{status} {text}"))
}
