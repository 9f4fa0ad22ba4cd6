//! Reading a signed event never panics. An accepted body has the canonical form of the reference implementation, and the log stores this form.

use serde_json::Value;
use shared_model::{Timestamp, json, json_reader};
use trust_log::canonical;
use trust_svc::{
    events::{Publication, publication::log_entry},
    model::{Event, EventHash},
};

pub fn run(bytes: &[u8]) {
    let Ok(body) = json::parse_object(bytes) else { return };
    let text = canonical::object_text(&body);
    assert_eq!(serde_json_canonicalizer::to_string(&body).expect("JSON"), text);
    let again = json::parse_object(text.as_bytes()).expect("canonical JSON is strict JSON");
    assert_eq!(canonical::object_text(&again), text);
    let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else { return };
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    if let Some(signature) = signature {
        let event = canonical::object_text(&event);
        assert_eq!(log_entry(&event, &event_hash, &signer_key_id, &signature), text);
        assert_eq!(EventHash::from_canonical(&event).to_string().parse(), Ok(EventHash::from_canonical(&event)));
    }
    // The event may have any members: reading it as a market event must not panic either.
    let _ = Event::read(&Value::Object(event), Timestamp::from_seconds(1_800_000_000));
}
