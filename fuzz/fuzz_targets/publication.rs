//! Whatever the bytes, reading a signed event does not panic, and what is accepted has one canonical form: that of the
//! reference implementation, which is what the log keeps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use shared_model::{Timestamp, json, json_reader};
use trust_svc::{
    canonical::{self, EventHash},
    events::{Event, publish::Publication},
    signing,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(body) = json::parse_object(bytes) else { return };
    let text = canonical::text(&body);
    assert_eq!(serde_json_canonicalizer::to_string(&body).expect("JSON"), text);
    let again = json::parse_object(text.as_bytes()).expect("canonical JSON is strict JSON");
    assert_eq!(canonical::text(&again), text);
    let Ok(publication) = json_reader::read::<Publication>(&Value::Object(body)) else { return };
    let Publication { event, event_hash, signer_key_id, signature } = publication;
    if let Some(signature) = signature {
        let event = canonical::text(&event);
        assert_eq!(signing::leaf(&event, &event_hash, &signer_key_id, &signature), text);
        assert_eq!(EventHash::of(&event).to_string().parse(), Ok(EventHash::of(&event)));
    }
    // It may say anything; whether it is an event of a market is another matter.
    let _ = Event::read(&Value::Object(event), Timestamp::from_seconds(1_800_000_000));
});
