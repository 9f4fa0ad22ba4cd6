//! What is counted and timed of requests, with a handle for each operation: looking one up by its labels costs more.

use std::collections::HashMap;

use actix_web::{HttpRequest, web};
use metrics::{Counter, Gauge, Histogram};
use shared_model::{Code, code};

use super::contract::Contract;
use crate::base::{
    metrics::{Metric, Metrics},
    telemetry::Stopwatch,
};

const REQUESTS: Metric = Metric { name: "http_requests_total", help: "Requests answered, by operation and status." };
const SECONDS: Metric = Metric {
    name: "http_request_seconds",
    help: "Time from a request's head to the head of its answer, by operation and class of status.",
};
const REFUSALS: Metric = Metric { name: "http_refusals_total", help: "Requests refused, by operation and error code." };
const FAILURES: Metric =
    Metric { name: "http_failures_total", help: "Requests that failed on our side (500 and 503), by operation." };
const STREAMED: Metric = Metric { name: "http_streamed_bytes_total", help: "Bytes of downloads, by operation." };
const IN_FLIGHT: Metric = Metric { name: "http_requests_in_flight", help: "Requests whose answer has not begun." };

/// The operation of requests that are for none.
const NONE: &str = "unknown";
/// What those are answered with.
const OF_NONE: [&Code; 5] = [
    &code::NOT_FOUND,
    &code::METHOD_NOT_ALLOWED,
    &code::RATE_LIMITED,
    &code::INTERNAL_ERROR,
    &code::TEMPORARILY_UNAVAILABLE,
];
/// What failures are answered with, which are counted as such and not as refusals.
const FAILURES_ANSWER: [&Code; 2] = [&code::INTERNAL_ERROR, &code::TEMPORARILY_UNAVAILABLE];
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// The measures of a service's operations.
pub struct HttpMeasures {
    metrics: Metrics,
    in_flight: Gauge,
    operations: HashMap<&'static str, OperationMeasures>,
}

/// Those of one operation.
pub(super) struct OperationMeasures {
    name: &'static str,
    metrics: Metrics,
    seconds: [Histogram; CLASSES.len()],
    requests: Vec<(u16, Counter)>,
    refusals: Vec<(&'static str, Counter)>,
    failures: Counter,
}

impl HttpMeasures {
    /// Those of these operations: all that their contracts name are there from now on, as 0.
    pub fn of<'c>(contracts: impl Iterator<Item = &'c Contract>, metrics: &Metrics) -> Self {
        let mut operations = HashMap::new();
        for contract in contracts {
            if contract.success.is_stream {
                metrics.counter(&STREAMED, &[("operation", contract.id)]).increment(0);
            }
            let measures = OperationMeasures::of(contract.id, &contract.statuses(), &contract.codes, metrics);
            operations.insert(contract.id, measures);
        }
        operations.insert(NONE, OperationMeasures::of(NONE, &[204], &OF_NONE, metrics));
        Self { in_flight: metrics.gauge(&IN_FLIGHT, &[]), operations, metrics: metrics.clone() }
    }

    /// A request is being answered.
    pub(super) fn begin(&self) -> InFlight {
        self.in_flight.increment(1.0);
        InFlight(self.in_flight.clone())
    }

    /// Those of an operation, or of requests that are for none.
    pub(super) fn operation(&self, contract: Option<&Contract>) -> &OperationMeasures {
        self.named(contract.map_or(NONE, |contract| contract.id))
    }

    fn named(&self, operation: &'static str) -> &OperationMeasures {
        self.operations.get(operation).unwrap_or_else(|| &self.operations[NONE])
    }

    /// Counts failures while an operation's download is sent.
    pub(super) fn failures(&self, operation: &'static str) -> Counter {
        self.named(operation).failures.clone()
    }

    /// Counts the bytes of an operation's downloads.
    pub(super) fn streamed(&self, operation: &'static str) -> Counter {
        self.metrics.counter(&STREAMED, &[("operation", operation)])
    }
}

impl OperationMeasures {
    fn of(name: &'static str, statuses: &[u16], codes: &[&'static Code], metrics: &Metrics) -> Self {
        let mut measures = Self {
            name,
            metrics: metrics.clone(),
            seconds: CLASSES.map(|class| metrics.histogram(&SECONDS, &[("operation", name), ("status", class)])),
            requests: Vec::new(),
            refusals: Vec::new(),
            failures: metrics.counter(&FAILURES, &[("operation", name)]),
        };
        for status in statuses.iter().copied().chain(codes.iter().map(|code| code.status)) {
            if measures.requests.iter().all(|(known, _)| *known != status) {
                measures.requests.push((status, measures.requests_with(status)));
            }
        }
        let refusals = codes.iter().filter(|code| !FAILURES_ANSWER.contains(code));
        measures.refusals = refusals.map(|code| (code.name, measures.refusals_with(code.name))).collect();
        measures
    }

    /// Counts an answer and its time.
    pub(super) fn answered(&self, status: u16, started: &Stopwatch) {
        let class = usize::from(status / 100).clamp(2, 5) - 2;
        self.seconds[class].record(started.elapsed());
        match self.requests.iter().find(|(known, _)| *known == status) {
            Some((_, counter)) => counter.increment(1),
            None => self.requests_with(status).increment(1),
        }
    }

    /// Counts a refusal by its code.
    pub(super) fn refused(&self, code: &'static str) {
        match self.refusals.iter().find(|(known, _)| *known == code) {
            Some((_, counter)) => counter.increment(1),
            None => self.refusals_with(code).increment(1),
        }
    }

    /// Counts failures of ours.
    pub(super) fn failures(&self) -> &Counter {
        &self.failures
    }

    fn requests_with(&self, status: u16) -> Counter {
        self.metrics.counter(&REQUESTS, &[("operation", self.name), ("status", &status.to_string())])
    }

    fn refusals_with(&self, code: &'static str) -> Counter {
        self.metrics.counter(&REFUSALS, &[("operation", self.name), ("code", code)])
    }
}

/// A request whose answer has not begun, until it is dropped.
pub(super) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// The measures of the service that a request is for.
pub(super) fn of(request: &HttpRequest) -> &HttpMeasures {
    request.app_data::<web::Data<HttpMeasures>>().expect("the server puts them into every app")
}
