//! Where the webhooks of histories lead: an endpoint in this process that remembers what it was sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use shared_testing::{
    Caller,
    hostile_server::{HostileServer, Wire, answer},
};
use standardwebhooks::Webhook;

use crate::webhooks::{find_header, header};

/// Looks for messages that have not come yet: ten seconds in all.
const LOOKS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(20);
/// A path that is answered after a second.
pub const PAUSES: &str = "/pauses";
/// In the paths of webhooks whose challenges the endpoint answers.
pub const ANSWERS: &str = "/answers/";
/// In the paths of the others: a person must take the challenge to the service.
pub const KEEPS_SILENT: &str = "/keeps-silent/";

/// One for all histories.
static ENDPOINT: OnceLock<HostileServer> = OnceLock::new();
static FOLDERS: AtomicUsize = AtomicUsize::new(0);
/// By the path of the webhook.
static HEARD: Mutex<BTreeMap<String, Vec<Message>>> = Mutex::new(BTreeMap::new());

#[derive(Clone, Debug)]
struct Message {
    id: String,
    timestamp: i64,
    signatures: String,
    text: String,
    body: Value,
}

impl Message {
    fn kind(&self) -> &str {
        self.body["type"].as_str().expect("a type")
    }

    fn is_signed(&self, secret: &Webhook) -> bool {
        let signature = secret.sign(&self.id, self.timestamp, self.text.as_bytes()).expect("a signature");
        self.signatures.split(' ').any(|one| one == signature)
    }
}

/// Where the URLs of one history begin.
pub fn folder() -> String {
    let address = ENDPOINT.get_or_init(|| HostileServer::http(respond)).address;
    format!("http://{address}/{}", FOLDERS.fetch_add(1, Ordering::SeqCst))
}

/// Who asks what the endpoint was sent, with GET at the URL of a webhook.
pub fn caller() -> Caller {
    Caller::at(ENDPOINT.get_or_init(|| HostileServer::http(respond)).address)
}

fn respond(stream: &mut dyn Wire, request: &str) -> io::Result<()> {
    let (head, text) = request.split_once("\r\n\r\n").expect("a head");
    let path = head.split(' ').nth(1).expect("a path");
    let number = |name: &str| header(head, name).parse().expect("a number");
    let reply = if path == PAUSES {
        thread::sleep(Duration::from_secs(1));
        json!({})
    } else if head.starts_with("POST ") {
        let body: Value = serde_json::from_str(text).expect("JSON");
        let challenge = path.contains(ANSWERS).then(|| body["data"]["challenge"].clone());
        let id = header(head, "webhook-id").to_owned();
        let signatures = header(head, "webhook-signature").to_owned();
        let message = Message { id, timestamp: number("webhook-timestamp"), signatures, text: text.to_owned(), body };
        heard().entry(path.to_owned()).or_default().push(message);
        json!({"challenge": challenge})
    } else if let Some(secret) = find_header(head, "secret") {
        let secret = Webhook::new(secret).expect("a secret");
        told(path, &secret, (number("after"), number("until")), number("pings"))
    } else {
        json!({"challenges": challenges(path)})
    };
    stream.write_all(answer(200, "", &reply.to_string()).as_bytes())
}

fn heard() -> MutexGuard<'static, BTreeMap<String, Vec<Message>>> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn messages(path: &str) -> Vec<Message> {
    heard().get(path).cloned().unwrap_or_default()
}

/// In the order in which they came, each once.
fn challenges(path: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for Message { body, .. } in messages(path) {
        let challenge = &body["data"]["challenge"];
        if challenge.is_string() && !found.contains(challenge) {
            found.push(challenge.clone());
        }
    }
    found
}

/// The events that came, each once and in the order of their changes. First waits until the events of all changes after
/// `after` and up to `until` have come, and at least `pings` pings.
fn told(path: &str, secret: &Webhook, (after, until): (i64, i64), pings: i64) -> Value {
    let mut looks = 0;
    loop {
        let messages = messages(path);
        let of_change = |message: &Message| message.body["data"]["sequence"].as_i64();
        // A message that is sent again has the same id.
        let events: BTreeMap<_, _> = messages
            .iter()
            .filter_map(|message| Some(((of_change(message)?, message.id.as_str(), message.kind()), &message.body)))
            .collect();
        let is_ping = |message: &&Message| message.kind() == "webhook.ping";
        let ids: BTreeSet<_> = messages.iter().filter(is_ping).map(|message| message.id.as_str()).collect();
        let came: BTreeSet<i64> = events.keys().map(|(sequence, ..)| *sequence).collect();
        let is_complete = (after + 1..=until).all(|sequence| came.contains(&sequence));
        let count = i64::try_from(ids.len()).expect("few pings");
        if is_complete && count >= pings || looks == LOOKS {
            let events: Vec<&Value> = events.into_values().collect();
            let is_signed = messages.iter().all(|message| message.is_signed(secret));
            return json!({"events": events, "pings": count, "is_signed": is_signed});
        }
        thread::sleep(PAUSE);
        looks += 1;
    }
}
