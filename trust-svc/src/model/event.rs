//! A market event (`service/market-event/v1`). An event may have members of other names too; they are signed like the
//! rest.

use std::time::Duration;

use serde_json::{Value, json};
use shared_model::{
    FromJson as _, JsonReader, Problem, Timestamp,
    json_reader::read_with,
    rule::{Rule, VersionNumber},
    timestamp,
};
use trust_log::canonical::MAX_INTEGER;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type, schema::AdditionalProperties};

use super::EventHash;

pub const SCHEMA: &str = "service/market-event/v1";
/// The greatest age of an event when it is published.
pub const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// How far the clock of a signer may be ahead of the server's clock.
pub const MAX_AHEAD: Duration = Duration::from_secs(300);

shared_model::hex_ids! {
    /// The id of an event, chosen by its issuer.
    pub struct EventId = "evt";
    /// The id of a market.
    pub struct MarketId = "mkt";
}

shared_model::text_enum! {
    /// What happened to a market.
    pub enum EventKind {
        /// The market opens. Always its first event.
        Listed = "market.listed",
        /// The description of the market changes.
        Updated = "market.updated",
        /// The market closes for a while.
        Suspended = "market.suspended",
        /// The market opens again.
        Resumed = "market.resumed",
        /// The market ends with an outcome.
        Resolved = "market.resolved",
        /// The market ends without an outcome.
        Withdrawn = "market.withdrawn",
    }
}

/// The members of an event that the service checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub event_id: EventId,
    pub kind: EventKind,
    pub market_id: MarketId,
    /// The revision of the market after this event.
    pub revision: i64,
    /// `None` for the first event of a market.
    pub prev_event_hash: Option<EventHash>,
    pub issued_at: Timestamp,
}

impl Event {
    /// `Err` has every problem, each at its place in the request body.
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
            reader.refuse(format!("must be at most 24 hours before and at most 300 seconds after now ({now})"))
        }
        Some(at) => Some(at),
    }
}

impl utoipa::PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        // Without the format date-time: generated clients would parse the time and write it in another spelling, which
        // has another hash.
        let issued_at = text().pattern(Some(timestamp::PATTERN)).description(Some(
            "The time of issue (RFC 3339), at most 24 hours before and 300 seconds after now. Send the text \
             exactly as it was signed.",
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
    fn all_wrong_members_are_reported_at_once() {
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
    fn an_event_can_be_published_within_a_day_of_its_issue() {
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
