//! The bounded check of a room's model: can it be reached, does it accept the key, does it answer as a chat model does?
//!
//! Whoever runs the endpoint may be hostile: at most three requests, 20 seconds, 64 KiB for each answer, one outcome of a
//! closed list, and nothing of the key in anything that comes back.

mod judge;
mod note;
mod outcome;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_model::Failure;
use shared_runtime::{
    Outbound,
    base::{
        encryption::{Hidden, Seal},
        telemetry::Stopwatch,
    },
    state::outbound::{
        Deadline, Destination, HeaderMap, Method, Reply, Request, Target, Trouble,
        header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue},
    },
};
use utoipa::ToSchema;

use crate::rooms::Room;
use judge::Verdict;

pub use outcome::Outcome;

/// An OpenAI-compatible endpoint, ready to be called.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// What `/models` and `/chat/completions` are appended to.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The key, for the one header that carries it.
    pub key: Option<Hidden>,
}

impl Endpoint {
    /// The endpoint of a room's model, its key opened; `None` when the room has no model.
    pub fn of(room: &Room, seal: &Seal) -> Result<Option<Self>, Failure> {
        let key = room.model_key(seal)?;
        let model = room.model.as_ref();
        Ok(model.map(|model| Self { base_url: model.base_url.clone(), model: model.name.clone(), key }))
    }
}

/// How long and how much.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// For everything together.
    pub total: Duration,
    /// For the list of models, which is only advice.
    pub models: Duration,
    /// Bytes of an answer's body.
    pub body_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { total: Duration::from_secs(20), models: Duration::from_secs(5), body_bytes: 65_536 }
    }
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Checked {
    /// The one word for it.
    pub outcome: Outcome,
    /// More of it, in the service's own words.
    #[schema(required)]
    pub reason: Option<String>,
    /// The HTTP status that decided.
    #[schema(required)]
    pub http_status: Option<u16>,
    /// How long each step took.
    pub phases: Phases,
    /// At most 200 characters of what the endpoint said.
    #[schema(required)]
    pub note: Option<String>,
    /// Always true: whoever runs the endpoint wrote the note, and nothing in it is an instruction.
    pub note_is_untrusted: bool,
}

/// How long each step took, in milliseconds; null for one that was not come to or needed none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ModelCheckPhases)]
pub struct Phases {
    /// Resolving the name.
    #[schema(required)]
    pub dns_ms: Option<u64>,
    /// The first connection.
    #[schema(required)]
    pub connect_ms: Option<u64>,
    /// Its TLS handshake.
    #[schema(required)]
    pub tls_ms: Option<u64>,
    /// The list of models.
    #[schema(required)]
    pub models_ms: Option<u64>,
    /// The chat, with its connection, and the second try if there was one.
    #[schema(required)]
    pub chat_ms: Option<u64>,
    /// Everything.
    pub total_ms: u64,
}

impl Checked {
    /// An outcome that was certain without calling anybody.
    pub fn without_calling(outcome: Outcome) -> Self {
        Self::of(Verdict::plain(outcome), Phases::default())
    }

    fn of(verdict: Verdict, phases: Phases) -> Self {
        let Verdict { outcome, reason, http_status, note } = verdict;
        Self { outcome, reason: reason.map(str::to_owned), http_status, phases, note, note_is_untrusted: true }
    }
}

/// Checks an endpoint. Whatever happens is an outcome.
pub async fn check(endpoint: &Endpoint, outbound: &Outbound, bounds: Bounds) -> Checked {
    let started = Stopwatch::start();
    let mut phases = Phases::default();
    let call = Call { endpoint, outbound, bounds, deadline: Deadline::after(bounds.total) };
    let verdict = call.run(&mut phases).await.unwrap_or_else(Verdict::of_trouble);
    phases.total_ms = millis(started.elapsed());
    Checked::of(verdict, phases)
}

struct Call<'a> {
    endpoint: &'a Endpoint,
    outbound: &'a Outbound,
    bounds: Bounds,
    deadline: Deadline,
}

impl Call<'_> {
    async fn run(&self, phases: &mut Phases) -> Result<Verdict, Trouble> {
        let target = Target::parse(&self.endpoint.base_url)?;
        let headers = self.headers()?;
        let destination = self.outbound.find(&target, self.deadline).await?;
        phases.dns_ms = target.literal().is_none().then(|| millis(destination.dns));
        self.look_at_models(&destination, headers.clone(), phases).await?;

        let started = Stopwatch::start();
        let answered = self.chat(&destination, headers).await;
        phases.chat_ms = Some(millis(started.elapsed()));
        Ok(judge::judge(&answered?, self.endpoint.key.as_ref()))
    }

    /// `GET {base}/models`. What it says decides nothing, for many endpoints have no such list; that it cannot be
    /// connected to does.
    async fn look_at_models(
        &self,
        destination: &Destination,
        headers: HeaderMap,
        phases: &mut Phases,
    ) -> Result<(), Trouble> {
        let reached = destination.reach(self.deadline).await?;
        phases.connect_ms = Some(millis(reached.connect));
        let line = reached.secure(self.deadline).await?;
        phases.tls_ms = line.tls.map(millis);
        let started = Stopwatch::start();
        let request = Request { method: Method::GET, path: "/models", headers, body: Vec::new() };
        let patience = self.deadline.or_after(self.bounds.models);
        let listed = line.send(request, self.bounds.body_bytes, patience).await;
        phases.models_ms = Some(millis(started.elapsed()));
        if let Err(trouble) = listed {
            tracing::debug!(%trouble, "a model endpoint lists no models");
        }
        Ok(())
    }

    /// `POST {base}/chat/completions`; once more with the other name of the limit if the first is not supported there.
    async fn chat(&self, destination: &Destination, headers: HeaderMap) -> Result<Reply, Trouble> {
        let first = self.complete(destination, headers.clone(), "max_tokens").await?;
        if judge::wants_the_other_limit(&first) {
            return self.complete(destination, headers, "max_completion_tokens").await;
        }
        Ok(first)
    }

    async fn complete(
        &self,
        destination: &Destination,
        mut headers: HeaderMap,
        limit: &'static str,
    ) -> Result<Reply, Trouble> {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut body = json!({
            "model": self.endpoint.model,
            "messages": [{"role": "user", "content": "This is a connection test. Answer with the one word: ready"}],
            "stream": false,
        });
        body[limit] = Value::from(16);
        let request =
            Request { method: Method::POST, path: "/chat/completions", headers, body: body.to_string().into_bytes() };
        let line = destination.connect(self.deadline).await?;
        line.send(request, self.bounds.body_bytes, self.deadline).await
    }

    fn headers(&self) -> Result<HeaderMap, Trouble> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(key) = &self.endpoint.key {
            let mut bearer = HeaderValue::try_from(format!("Bearer {}", key.reveal()))
                .map_err(|_| Trouble::Url("the key has characters that no header can carry"))?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        Ok(headers)
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
