//! Runs a probe: resolve, connect, list the models, chat.

use std::time::Duration;

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use shared_runtime::{
    Outbound,
    base::telemetry::Stopwatch,
    state::outbound::{
        Bytes, Deadline, Destination, HeaderMap, Method, OutboundError, Reply, Request, Target,
        header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue},
    },
};

use super::{
    classify,
    endpoint::{ModelEndpoint, ProbeLimits},
    report::{ProbePhases, ProbeReport},
};

/// Probes an endpoint. A failure of the endpoint is an outcome, not an error.
pub async fn probe(endpoint: &ModelEndpoint, outbound: &Outbound, limits: ProbeLimits) -> ProbeReport {
    let started = Stopwatch::start();
    let mut phases = ProbePhases::default();
    let probe = Probe { endpoint, outbound, limits, deadline: Deadline::after(limits.total) };
    let report = probe.run(&mut phases).await.unwrap_or_else(classify::error);
    phases.total_ms = millis(started.elapsed());
    ProbeReport { phases, ..report }
}

struct Probe<'a> {
    endpoint: &'a ModelEndpoint,
    outbound: &'a Outbound,
    limits: ProbeLimits,
    deadline: Deadline,
}

impl Probe<'_> {
    async fn run(&self, phases: &mut ProbePhases) -> Result<ProbeReport, OutboundError> {
        let target = Target::parse(&self.endpoint.base_url)?;
        let headers = self.headers()?;
        // Resolved once: all requests of a probe go to the same checked address, whatever DNS answers later.
        let destination = self.outbound.resolve(&target, self.deadline).await?;
        // An IP address needs no DNS, and 0 ms would look like a fast answer.
        phases.dns_ms = target.literal().is_none().then(|| millis(destination.dns));
        self.list_models(&destination, headers.clone(), phases).await?;

        let started = Stopwatch::start();
        let reply = self.chat(&destination, headers).await;
        phases.chat_ms = Some(millis(started.elapsed()));
        Ok(classify::reply(&reply?, self.endpoint.key.as_ref()))
    }

    /// `GET {base}/models`. A failed connection ends the probe; the answer does not matter, because many endpoints
    /// have no such list.
    async fn list_models(
        &self,
        destination: &Destination,
        headers: HeaderMap,
        phases: &mut ProbePhases,
    ) -> Result<(), OutboundError> {
        let connected = destination.connect_tcp(self.deadline).await?;
        phases.connect_ms = Some(millis(connected.connect));
        let connection = connected.start_tls(self.deadline).await?;
        phases.tls_ms = connection.tls.map(millis);
        let started = Stopwatch::start();
        let request = Request { method: Method::GET, path: "/models", headers, body: Bytes::new() };
        let deadline = self.deadline.capped(self.limits.models);
        let listed = connection.send(request, self.limits.body_bytes, deadline).await;
        phases.models_ms = Some(millis(started.elapsed()));
        if let Err(error) = listed {
            tracing::debug!(%error, "a model endpoint lists no models");
        }
        Ok(())
    }

    /// `POST {base}/chat/completions`. Repeated with the newer name of the token limit if the older one is not
    /// supported.
    async fn chat(&self, destination: &Destination, headers: HeaderMap) -> Result<Reply, OutboundError> {
        let first = self.complete(destination, headers.clone(), "max_tokens").await?;
        if classify::is_unsupported_max_tokens(&first) {
            return self.complete(destination, headers, "max_completion_tokens").await;
        }
        Ok(first)
    }

    async fn complete(
        &self,
        destination: &Destination,
        mut headers: HeaderMap,
        limit: &'static str,
    ) -> Result<Reply, OutboundError> {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut body = json!({
            "model": self.endpoint.model,
            "messages": [{"role": "user", "content": "This is a connection test. Answer with the one word: ready"}],
            "stream": false,
        });
        // The owner pays for the tokens. Sixteen are enough for one word.
        body[limit] = Value::from(16);
        let request =
            Request { method: Method::POST, path: "/chat/completions", headers, body: body.to_string().into() };
        // A new connection: the server may have closed the first one after the list.
        let connection = destination.connect(self.deadline).await?;
        connection.send(request, self.limits.body_bytes, self.deadline).await
    }

    fn headers(&self) -> Result<HeaderMap, OutboundError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(key) = &self.endpoint.key {
            let mut bearer = HeaderValue::try_from(format!("Bearer {}", key.expose_secret()))
                .map_err(|_| OutboundError::Url("the key has characters that no header can carry"))?;
            // Otherwise a debug log of the headers would print the key.
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        Ok(headers)
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
