//! What a market event says (`service/market-event/v1`); members of other names are allowed, and signed like the rest.

use std::time::Duration;

use serde_json::{Value, json};
use shared_model::{
    FromJson as _, JsonReader, Problem, Timestamp,
    json_reader::read_with,
    rule::{Rule, VersionNumber},
    timestamp,
};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type, schema::AdditionalProperties};

use crate::canonical::{EventHash, MAX_INTEGER};

/// The one schema of events.
pub const SCHEMA: &str = "service/market-event/v1";
/// How long ago an event may have been issued when it is published.
pub const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// How far the signer's clock may be ahead of ours.
pub const MAX_AHEAD: Duration = Duration::from_secs(300);

shared_model::hex_ids! {
    /// An event, as its issuer names it.
    pub struct EventId = "evt";
    /// A market.
    pub struct MarketId = "mkt";
}

shared_model::text_enum! {
    /// What happened to a market.
    pub enum EventKind {
        /// It is on the market: always the first event.
        Listed = "market.listed",
        /// It is described anew.
        Updated = "market.updated",
        /// It is closed for a while.
        Suspended = "market.suspended",
        /// It is open again.
        Resumed = "market.resumed",
        /// It has its outcome: the end.
        Resolved = "market.resolved",
        /// It is taken back: the end.
        Withdrawn = "market.withdrawn",
    }
}

/// The members of an event that are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub event_id: EventId,
    /// What happened.
    pub kind: EventKind,
    /// To which market.
    pub market_id: MarketId,
    /// The market's revision that it makes.
    pub revision: i64,
    /// The event before it; `None` for the first.
    pub prev_event_hash: Option<EventHash>,
    /// When its issuer made it.
    pub issued_at: Timestamp,
}

impl Event {
    /// Reads an event, as of `now`. `Err` carries every problem, each at its place in the request body.
    pub fn read(event: &Value, now: Timestamp) -> Result<Self, Vec<Problem>> {
        read_with(event, |reader| Self::from_json(reader, now)).map_err(|problems| {
            problems.into_iter().map(|Problem { at, rule }| Problem { at: format!("/event{at}"), rule }).collect()
        })
    }

    fn from_json(reader: &JsonReader<'_>, now: Timestamp) -> Option<Self> {
        reader.open_object(|object| {
            let schema = object.required("schema", |reader| reader.one_of(&[(SCHEMA, ())]));
            let event_id = object.required("event_id", EventId::from_json);
            let kind = object.required("kind", EventKind::from_json);
            let market_id = object.required("market_id", MarketId::from_json);
            let revision = object.required("revision", |reader| reader.integer(1..=MAX_INTEGER));
            let prev_event_hash = object.required("prev_event_hash", |reader| match reader.value() {
                Value::Null => Some(None),
                _ => EventHash::from_json(reader).map(Some),
            });
            let issued_at = object.required("issued_at", |reader| issued_at(reader, now));
            let data = object.required("data", |reader| reader.open_object(|_| Some(())));
            schema.and(data)?;
            Some(Self {
                event_id: event_id?,
                kind: kind?,
                market_id: market_id?,
                revision: revision?,
                prev_event_hash: prev_event_hash?,
                issued_at: issued_at?,
            })
        })
    }
}

fn issued_at(reader: &JsonReader<'_>, now: Timestamp) -> Option<Timestamp> {
    match Timestamp::parse(reader.str()?) {
        None => reader.refuse(timestamp::RULE),
        Some(at) if at < now.minus(MAX_AGE) || at > now.plus(MAX_AHEAD) => {
            reader.refuse(format!("must be at most 24 hours before and at most 300 seconds after the present ({now})"))
        }
        Some(at) => Some(at),
    }
}

impl utoipa::PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        // Not of the format date-time: clients would read it into a time and write that in another way, which has
        // another hash.
        let issued_at = text().pattern(Some(timestamp::PATTERN)).description(Some(
            "When its issuer made it (RFC 3339), at most 24 hours before and 300 seconds after the present. Text: it \
             is signed as it is written.",
        ));
        let mut event = ObjectBuilder::new()
            .property("schema", text().enum_values(Some([SCHEMA])))
            .property("event_id", <EventId as Rule>::schema())
            .property("kind", <EventKind as Rule>::schema())
            .property("market_id", <MarketId as Rule>::schema())
            .property("revision", <VersionNumber as Rule>::schema())
            .property(
                "prev_event_hash",
                text()
                    .schema_type(utoipa::openapi::schema::SchemaType::from_iter([Type::String, Type::Null]))
                    .pattern(Some("^sha256:[0-9a-f]{64}$")),
            )
            .property("issued_at", issued_at)
            .property("data", ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true))))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)));
        for member in ["schema", "event_id", "kind", "market_id", "revision", "prev_event_hash", "issued_at", "data"] {
            event = event.required(member);
        }
        event.examples([example()]).into()
    }
}

/// The event that the document shows.
fn example() -> Value {
    json!({
        "schema": SCHEMA, "event_id": "evt_0123456789abcdef0123456789abcdef", "kind": "market.listed",
        "market_id": "mkt_0123456789abcdef0123456789abcdef", "revision": 1, "prev_event_hash": null,
        "issued_at": "2026-11-21T09:30:00Z", "data": {"title": "Rain in London on 1 December?"},
    })
}

impl utoipa::ToSchema for Event {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        EventId::add_components(schemas);
        MarketId::add_components(schemas);
        EventKind::add_components(schemas);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn event() -> Map<String, Value> {
        let event = json!({
            "schema": SCHEMA,
            "event_id": format!("evt_{}", "0".repeat(32)),
            "kind": "market.listed",
            "market_id": format!("mkt_{}", "a".repeat(32)),
            "revision": 1,
            "prev_event_hash": null,
            "issued_at": NOW,
            "data": { "title": "Rain tomorrow" },
            "venue": "ours",
        });
        event.as_object().cloned().expect("an object")
    }

    fn places(event: Map<String, Value>) -> Vec<String> {
        let problems = Event::read(&Value::Object(event), NOW).err().unwrap_or_default();
        problems.into_iter().map(|problem| problem.at).collect()
    }

    #[test]
    fn members_of_other_names_are_allowed() {
        assert_eq!(places(event()), [""; 0]);
    }

    #[test]
    fn all_wrong_members_are_told_at_once() {
        let wrong = json!({
            "schema": "service/market-event/v2", "event_id": "evt_1", "kind": "market.closed", "market_id": 7,
            "revision": 9_007_199_254_740_992_u64, "prev_event_hash": "sha256:00", "issued_at": "yesterday", "data": [],
        });
        let members = ["schema", "event_id", "kind", "market_id", "revision", "prev_event_hash", "issued_at", "data"];
        let expected = members.map(|member| format!("/event/{member}"));
        assert_eq!(places(wrong.as_object().cloned().expect("an object")), expected);
        assert_eq!(places(Map::new()), ["/event"; 8]);
    }

    #[test]
    fn an_event_is_published_within_a_day_of_its_making() {
        let second = Duration::from_secs(1);
        let issued = |at: Timestamp| {
            let mut event = event();
            event.insert("issued_at".to_owned(), json!(at));
            places(event).is_empty()
        };
        assert_eq!(
            [NOW.minus(MAX_AGE), NOW.minus(MAX_AGE + second), NOW.plus(MAX_AHEAD), NOW.plus(MAX_AHEAD + second)]
                .map(issued),
            [true, false, true, false]
        );
    }
}
