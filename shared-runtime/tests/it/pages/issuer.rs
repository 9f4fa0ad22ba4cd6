//! An issuer for one test: metadata, and a token endpoint that answers as configured and records its requests.

use std::{
    collections::HashMap,
    net::TcpListener,
    sync::{Arc, Mutex},
};

use actix_web::{App, HttpResponse, HttpServer, dev::ServerHandle, http::StatusCode, rt, web};
use serde_json::{Value, json};

/// What the token endpoint was sent.
pub type Form = HashMap<String, String>;

/// An issuer that runs.
pub struct TestIssuer {
    /// Its identifier.
    pub url: String,
    script: Arc<Mutex<Script>>,
    handle: ServerHandle,
}

/// What it says, and what it has heard.
#[derive(Default)]
struct Script {
    metadata: Value,
    /// How many times it was fetched.
    fetches: usize,
    /// At the URL of the metadata, which is then only at that of OpenID Connect.
    instead: Option<String>,
    answer: (u16, String),
    forms: Vec<Form>,
}

impl TestIssuer {
    /// One that refuses every code.
    pub fn start() -> Self {
        Self::start_as(None)
    }

    /// One whose metadata has this name, wherever it listens.
    pub fn named(name: &str) -> Self {
        Self::start_as(Some(name))
    }

    fn start_as(name: Option<&str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let name = name.unwrap_or(&url);
        let metadata = json!({
            "issuer": name,
            "authorization_endpoint": format!("{name}/authorize?tenant=a%20b"),
            "token_endpoint": format!("{name}/token"),
            "authorization_response_iss_parameter_supported": true,
        });
        let answer = (400, json!({"error": "invalid_grant"}).to_string());
        let script = Arc::new(Mutex::new(Script { metadata, answer, ..Script::default() }));
        let shared = web::Data::from(Arc::clone(&script));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .route("/.well-known/oauth-authorization-server", web::get().to(metadata_of))
                .route("/.well-known/openid-configuration", web::get().to(openid_of))
                .route("/token", web::post().to(token))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("a listener").run();
        let handle = server.handle();
        rt::spawn(server);
        Self { url, script, handle }
    }

    /// The token endpoint answers with this.
    pub fn answers(&self, status: u16, body: impl Into<String>) {
        self.script.lock().expect("a lock").answer = (status, body.into());
    }

    /// The token endpoint answers with this token.
    pub fn answers_with_token(&self, token: &str) {
        self.answers(200, json!({"access_token": token, "token_type": "bearer", "expires_in": 3600}).to_string());
    }

    /// With another member of its metadata.
    pub fn says(&self, name: &str, value: Value) {
        self.script.lock().expect("a lock").metadata[name] = value;
    }

    /// It has only the metadata of OpenID Connect, and this at the other URL.
    pub fn only_knows_openid(&self, instead: &str) {
        self.script.lock().expect("a lock").instead = Some(instead.to_owned());
    }

    /// How many times its metadata was fetched.
    pub fn fetches(&self) -> usize {
        self.script.lock().expect("a lock").fetches
    }

    /// What the token endpoint was sent, one after the other.
    pub fn forms(&self) -> Vec<Form> {
        self.script.lock().expect("a lock").forms.clone()
    }

    /// It is gone.
    pub async fn stop(&self) {
        self.handle.stop(false).await;
    }
}

async fn metadata_of(script: web::Data<Mutex<Script>>) -> HttpResponse {
    let mut script = script.lock().expect("a lock");
    script.fetches += 1;
    match &script.instead {
        Some(instead) => HttpResponse::Ok().body(instead.clone()),
        None => HttpResponse::Ok().json(&script.metadata),
    }
}

async fn openid_of(script: web::Data<Mutex<Script>>) -> HttpResponse {
    let script = script.lock().expect("a lock");
    match script.instead {
        Some(_) => HttpResponse::Ok().json(&script.metadata),
        None => HttpResponse::NotFound().finish(),
    }
}

async fn token(script: web::Data<Mutex<Script>>, body: web::Bytes) -> HttpResponse {
    let mut script = script.lock().expect("a lock");
    script.forms.push(url::form_urlencoded::parse(&body).into_owned().collect());
    let (status, body) = script.answer.clone();
    HttpResponse::build(StatusCode::from_u16(status).expect("a status"))
        .insert_header(("location", "/elsewhere"))
        .content_type("application/json")
        .body(body)
}
