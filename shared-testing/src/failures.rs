//! Collects failures that services log, so that a stage can require that there were none.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, Once, PoisonError},
};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_subscriber::{
    EnvFilter, Layer,
    layer::{Context, SubscriberExt as _},
    registry::LookupSpan,
};

// Tests in one process share the log; request ids tell their failures apart.
static FAILURES: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

/// Starts collecting. Also prints the log of failing tests at the level of `RUST_LOG` (default: errors).
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    // A process has one global log subscriber, whatever the number of its tests.
    LISTENING.call_once(|| {
        let shown = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("error"));
        let subscriber = tracing_subscriber::registry()
            .with(tracing_subscriber::fmt::layer().with_test_writer().with_filter(shown))
            // Only the edge: it logs each failure once, with the request id in its span.
            .with(Listener.with_filter(EnvFilter::new("off,shared_runtime::http::edge=info")));
        tracing::subscriber::set_global_default(subscriber).expect("only the stage sets up the log of a test process");
    });
}

/// Failures logged for these requests.
pub(crate) fn of(request_ids: &[String]) -> Vec<String> {
    let failures = FAILURES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(failures) = &*failures else { return Vec::new() };
    request_ids.iter().filter_map(|id| failures.get(id).map(|what| format!("{id}: {what}"))).collect()
}

struct Listener;

struct RequestId(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Listener {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let (Some(span), Some(id)) = (context.span(id), fields.0.remove("request_id")) {
            span.extensions_mut().insert(RequestId(id));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // The edge logs a failure as an error, once.
        if *event.metadata().level() != Level::ERROR {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let request_id = context
            .event_scope(event)
            .and_then(|mut scope| scope.find_map(|span| span.extensions().get::<RequestId>().map(|id| id.0.clone())));
        if let (Some(id), Some(what)) = (request_id, fields.0.remove("failure")) {
            FAILURES.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(id, what);
        }
    }
}

#[derive(Default)]
struct Fields(HashMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}
