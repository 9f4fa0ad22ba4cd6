//! Receives the sample webhook's deliveries and prints a line for each one that it can verify (Standard Webhooks).

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
    data_folder::DataFolder,
    error::{StackError, cannot},
};

const PATH: &str = "/webhook";
// Stored, because the service shows the secret only once.
const SECRET: &str = "secrets/webhook";
// Lines that wait for a paused terminal. When full, deliveries are refused; the service sends them again.
const WAITING: usize = 1_000;
// Cover the body and the time, so that a copied delivery cannot be sent again later.
const SIGNED: [&str; 3] = ["webhook-id", "webhook-timestamp", "webhook-signature"];

#[derive(Clone)]
pub struct Receiver {
    /// URL that the service calls.
    pub url: String,
    /// Base URL of the issuer's server, for the services.
    pub origin: String,
    folder: DataFolder,
    secret: Arc<RwLock<Option<String>>>,
    lines: SyncSender<String>,
}

pub fn url(issuer: &str) -> String {
    format!("{issuer}{PATH}")
}

impl Receiver {
    /// Uses the secret of the last start, if there is one. `origin` is the issuer's base URL for the services.
    pub fn start(folder: &DataFolder, origin: &str) -> Result<Self, StackError> {
        let secret = Arc::new(RwLock::new(folder.read(SECRET)?));
        // Bounded, so that a paused terminal cannot use up the memory.
        let (lines, printed) = mpsc::sync_channel::<String>(WAITING);
        // In its own thread, because writing to a paused terminal blocks.
        let print = move || {
            while let Ok(line) = printed.recv() {
                if io::stdout().write_all(line.as_bytes()).is_err() {
                    // A closed stdout is not a reason to stop: other programs use the stack too.
                    break;
                }
            }
        };
        thread::Builder::new().name("webhook lines".to_owned()).spawn(print).map_err(cannot("start a thread"))?;
        Ok(Self { url: url(origin), origin: origin.to_owned(), folder: folder.clone(), secret, lines })
    }

    pub fn has_secret(&self) -> bool {
        self.secret().is_some()
    }

    /// Verifies deliveries with this secret from now on, also after a restart.
    pub fn keep(&self, secret: &str) -> Result<(), StackError> {
        self.folder.write(SECRET, secret)?;
        *self.secret.write().expect("nothing panics with the lock") = Some(secret.to_owned());
        Ok(())
    }

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
        // Verified like a real receiver would: the sample shows what callers have to do.
        webhook.is_some_and(|webhook| webhook.verify(body, &headers).is_ok())
    }
}

async fn take(receiver: web::Data<Receiver>, request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let event: Value = match serde_json::from_slice(&body) {
        Ok(event) => event,
        Err(error) => return HttpResponse::BadRequest().body(error.to_string()),
    };
    // Answered without a signature check: the challenge may arrive before the answer that contains the secret.
    if event["type"] == "webhook.verification" {
        return HttpResponse::Ok().json(json!({"challenge": event["data"]["challenge"]}));
    }
    if !receiver.is_genuine(&request, &body) {
        return HttpResponse::Unauthorized().body("not genuine");
    }
    match receiver.lines.try_send(line(&event)) {
        Ok(()) | Err(TrySendError::Disconnected(_)) => HttpResponse::NoContent().finish(),
        Err(TrySendError::Full(_)) => {
            HttpResponse::ServiceUnavailable().body("earlier events have not been printed yet")
        }
    }
}

/// Type, sequence number and file of an event.
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
