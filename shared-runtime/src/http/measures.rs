//! Metrics of requests. Each operation has its handles, because finding one by its labels costs more than counting.

use std::{collections::HashMap, sync::OnceLock};

use actix_web::{HttpRequest, web};
use metrics::{Counter, Gauge, Histogram};
use shared_model::{Code, code};

use super::contract::Contract;
use crate::base::{
    metrics::{Metric, Metrics},
    telemetry::Stopwatch,
};

const REQUESTS: Metric =
    Metric::counter("http_requests_total", &["operation", "status"], "Requests answered, by exact status.");
const SECONDS: Metric = Metric::histogram(
    "http_request_seconds",
    &["operation", "status"],
    "Time from a request's head to the head of its answer, by class of status (2xx to 5xx). It includes the client's sending of the body. A call that waits for a change or a verdict takes up to 55 s.",
);
const REFUSALS: Metric =
    Metric::counter("http_refusals_total", &["operation", "code"], "Requests refused, by error code.");
const FAILURES: Metric = Metric::counter(
    "http_failures_total",
    &["operation"],
    "Requests that failed on our side (500 and 503). The log has the cause.",
);
pub const STREAMED: Metric = Metric::counter("http_streamed_bytes_total", &["operation"], "Bytes of downloads.");
const IN_FLIGHT: Metric = Metric::gauge("http_requests_in_flight", &[], "Requests whose answer has not begun.");

pub const METRICS: [&Metric; 5] = [&REQUESTS, &SECONDS, &REFUSALS, &FAILURES, &IN_FLIGHT];

/// The operation label of requests that match no operation.
const UNROUTED: &str = "unknown";
const UNROUTED_CODES: [&Code; 5] = [
    &code::NOT_FOUND,
    &code::METHOD_NOT_ALLOWED,
    &code::RATE_LIMITED,
    &code::INTERNAL_ERROR,
    &code::TEMPORARILY_UNAVAILABLE,
];
/// Codes that are counted as failures, not as refusals.
const FAILURES_ANSWER: [&Code; 2] = [&code::INTERNAL_ERROR, &code::TEMPORARILY_UNAVAILABLE];
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

pub struct HttpMeasures {
    metrics: Metrics,
    in_flight: Gauge,
    operations: HashMap<&'static str, OperationMeasures>,
}

pub(super) struct OperationMeasures {
    name: &'static str,
    metrics: Metrics,
    // Most of these series would stay 0. So each appears with its first request, unless an alert counts it.
    seconds: [OnceLock<Histogram>; CLASSES.len()],
    requests: Vec<(u16, OnceLock<Counter>)>,
    refusals: Vec<(&'static str, OnceLock<Counter>)>,
    failures: Counter,
}

impl HttpMeasures {
    /// Metrics of these operations. What alerts count exists from now on, as 0. Other series appear with their first
    /// request.
    pub fn for_contracts<'c>(contracts: impl Iterator<Item = &'c Contract>, metrics: &Metrics) -> Self {
        let mut operations = HashMap::new();
        for contract in contracts {
            if contract.success.is_stream {
                // An alert on a rate cannot see the first increment of a series that did not exist before.
                metrics.counter(&STREAMED, &[("operation", contract.id)]).increment(0);
            }
            let measures = OperationMeasures::new(contract.id, &contract.statuses(), &contract.codes, metrics);
            operations.insert(contract.id, measures);
        }
        operations.insert(UNROUTED, OperationMeasures::new(UNROUTED, &[204], &UNROUTED_CODES, metrics));
        Self { in_flight: metrics.gauge(&IN_FLIGHT, &[]), operations, metrics: metrics.clone() }
    }

    pub(super) fn begin(&self) -> InFlight {
        self.in_flight.increment(1.0);
        InFlight(self.in_flight.clone())
    }

    pub(super) fn operation(&self, contract: Option<&Contract>) -> &OperationMeasures {
        self.named(contract.map_or(UNROUTED, |contract| contract.id))
    }

    fn named(&self, operation: &'static str) -> &OperationMeasures {
        self.operations.get(operation).unwrap_or_else(|| &self.operations[UNROUTED])
    }

    pub(super) fn failures(&self, operation: &'static str) -> Counter {
        self.named(operation).failures.clone()
    }

    /// Counts the bytes of an operation's downloads.
    pub(super) fn streamed(&self, operation: &'static str) -> Counter {
        self.metrics.counter(&STREAMED, &[("operation", operation)])
    }
}

impl OperationMeasures {
    fn new(name: &'static str, statuses: &[u16], codes: &[&'static Code], metrics: &Metrics) -> Self {
        let mut measures = Self {
            name,
            metrics: metrics.clone(),
            seconds: CLASSES.map(|_| OnceLock::new()),
            requests: Vec::new(),
            refusals: Vec::new(),
            failures: metrics.counter(&FAILURES, &[("operation", name)]),
        };
        for status in statuses.iter().copied().chain(codes.iter().map(|code| code.status)) {
            if measures.requests.iter().all(|(known, _)| *known != status) {
                let counter = OnceLock::new();
                // An alert divides these, and a rate misses the first increment of a series that appears late.
                if status == 200 || status >= 500 {
                    counter.get_or_init(|| measures.requests_with(status));
                }
                measures.requests.push((status, counter));
            }
        }
        let refusals = codes.iter().filter(|code| !FAILURES_ANSWER.contains(code));
        measures.refusals = refusals.map(|code| (code.name, OnceLock::new())).collect();
        measures
    }

    pub(super) fn answered(&self, status: u16, started: &Stopwatch) {
        // Classes, not statuses: each value of the label costs a whole histogram.
        let class = usize::from(status / 100).clamp(2, 5) - 2;
        self.seconds[class].get_or_init(|| self.seconds_of(CLASSES[class])).record(started.elapsed());
        match self.requests.iter().find(|(known, _)| *known == status) {
            Some((_, counter)) => counter.get_or_init(|| self.requests_with(status)).increment(1),
            None => self.requests_with(status).increment(1),
        }
    }

    pub(super) fn refused(&self, code: &'static str) {
        match self.refusals.iter().find(|(known, _)| *known == code) {
            Some((_, counter)) => counter.get_or_init(|| self.refusals_with(code)).increment(1),
            None => self.refusals_with(code).increment(1),
        }
    }

    pub(super) fn failures(&self) -> &Counter {
        &self.failures
    }

    fn seconds_of(&self, class: &str) -> Histogram {
        self.metrics.histogram(&SECONDS, &[("operation", self.name), ("status", class)])
    }

    fn requests_with(&self, status: u16) -> Counter {
        self.metrics.counter(&REQUESTS, &[("operation", self.name), ("status", &status.to_string())])
    }

    fn refusals_with(&self, code: &'static str) -> Counter {
        self.metrics.counter(&REFUSALS, &[("operation", self.name), ("code", code)])
    }
}

/// A request without an answer yet, until this is dropped.
pub(super) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

pub(super) fn for_request(request: &HttpRequest) -> &HttpMeasures {
    request.app_data::<web::Data<HttpMeasures>>().expect("the server puts them into every app")
}
