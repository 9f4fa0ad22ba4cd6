//! The receiver of the sample webhook: an endpoint beside the issuer, which prints a line for each event that it is told and
//! can verify (Standard Webhooks).

use std::{
    io::{self, Write as _},
    sync::{
        Arc, RwLock,
        mpsc::{self, SyncSender, TrySendError},
    },
    thread,
};

use actix_web::{HttpRequest, HttpResponse, web};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use crate::{
    error::{StackError, cannot},
    home::Home,
};

const PATH: &str = "/webhook";
/// Where the secret is kept: the service shows it once.
const SECRET: &str = "secrets/webhook";
/// Lines that wait for a terminal that is held; then events are refused, and come again.
const WAITING: usize = 1_000;
/// What the service signs deliveries with, beside the body.
const SIGNED: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/// The receiver.
#[derive(Clone)]
pub struct Receiver {
    /// What the service calls.
    pub url: String,
    /// Where the services reach the issuer, the model and this.
    pub origin: String,
    home: Home,
    secret: Arc<RwLock<Option<String>>>,
    lines: SyncSender<String>,
}

/// The receiver's URL beside this issuer.
pub fn url(issuer: &str) -> String {
    format!("{issuer}{PATH}")
}

impl Receiver {
    /// Beside the issuer, which the services reach at this URL, with the secret of the last start.
    pub fn start(home: &Home, origin: &str) -> Result<Self, StackError> {
        let secret = Arc::new(RwLock::new(home.read(SECRET)?));
        let (lines, printed) = mpsc::sync_channel::<String>(WAITING);
        // A thread of its own: a terminal that is held holds nothing else up.
        let print = move || {
            while let Ok(line) = printed.recv() {
                if io::stdout().write_all(line.as_bytes()).is_err() {
                    // Nobody reads: the stack is there for others too.
                    break;
                }
            }
        };
        thread::Builder::new().name("webhook lines".to_owned()).spawn(print).map_err(cannot("start a thread"))?;
        Ok(Self { url: url(origin), origin: origin.to_owned(), home: home.clone(), secret, lines })
    }

    /// Whether it can verify anything.
    pub fn has_secret(&self) -> bool {
        self.secret().is_some()
    }

    /// Verifies with this secret from now on.
    pub fn keep(&self, secret: &str) -> Result<(), StackError> {
        self.home.write(SECRET, secret)?;
        *self.secret.write().expect("nothing panics with the lock") = Some(secret.to_owned());
        Ok(())
    }

    /// Its place in the issuer's application.
    pub fn routes(self) -> impl FnOnce(&mut web::ServiceConfig) {
        |app| {
            app.app_data(web::Data::new(self)).route(PATH, web::post().to(take));
        }
    }

    fn secret(&self) -> Option<String> {
        self.secret.read().expect("nothing panics with the lock").clone()
    }

    fn is_genuine(&self, request: &HttpRequest, body: &[u8]) -> bool {
        let mut headers = HeaderMap::new();
        for name in SIGNED {
            let value = request.headers().get(name).map(|value| HeaderValue::from_bytes(value.as_bytes()));
            if let Some(Ok(value)) = value {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        let webhook = self.secret().and_then(|secret| Webhook::new(&secret).ok());
        webhook.is_some_and(|webhook| webhook.verify(body, &headers).is_ok())
    }
}

async fn take(receiver: web::Data<Receiver>, request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let event: Value = match serde_json::from_slice(&body) {
        Ok(event) => event,
        Err(error) => return HttpResponse::BadRequest().body(error.to_string()),
    };
    // The challenge may come before the answer that shows the secret; what it gives back is no secret.
    if event["type"] == "webhook.verification" {
        return HttpResponse::Ok().json(json!({"challenge": event["data"]["challenge"]}));
    }
    if !receiver.is_genuine(&request, &body) {
        return HttpResponse::Unauthorized().body("not genuine");
    }
    match receiver.lines.try_send(line(&event)) {
        Ok(()) | Err(TrySendError::Disconnected(_)) => HttpResponse::NoContent().finish(),
        Err(TrySendError::Full(_)) => HttpResponse::ServiceUnavailable().body("nobody reads what was told before"),
    }
}

/// Type, number and file of an event.
fn line(event: &Value) -> String {
    let data = &event["data"];
    let mut line = format!("  webhook  {}", event["type"].as_str().unwrap_or_default());
    if let Some(sequence) = data["sequence"].as_i64() {
        line.push_str(&format!("  {sequence}"));
    }
    if let Some(file) = data["file_id"].as_str() {
        line.push_str(&format!("  {file}"));
    }
    line + "\n"
}
